-- Whether a run begins with something private in its hands: a workspace, an end user's input, its
-- agent's notes, or what the run that started it, or that it repeats, has seen. A build is told
-- what to do by that run and shown nothing else of it, so that it begins without.
CREATE OR REPLACE FUNCTION begins_private(r runs)
RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF r.kind IN ('agent_creation', 'agent_edit') THEN
    RETURN false;
  END IF;
  IF r.workspace_id IS NOT NULL OR r.kind = 'app' THEN
    RETURN true;
  END IF;
  -- Most have neither, and what needs the row as a whole is planned anew for each.
  IF r.agent_id IS NOT NULL THEN
    IF EXISTS (
      SELECT 1 FROM agents a
      WHERE a.id = r.agent_id AND a.account_id = r.account_id
        AND a.config #> '{tools,memory}' = 'true')
    THEN
      RETURN true;
    END IF;
  END IF;
  IF r.parent_run_id IS NULL AND r.replayed_from IS NULL AND r.history_of IS NULL THEN
    RETURN false;
  END IF;
  RETURN EXISTS (
    SELECT 1 FROM runs o
      JOIN conversations c ON c.id = o.conversation_id AND c.account_id = o.account_id
    WHERE o.id IN (r.parent_run_id, r.replayed_from, r.history_of)
      AND o.account_id = r.account_id AND c.seen_private);
END $$;
