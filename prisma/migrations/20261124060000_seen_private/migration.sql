-- Whether a run of the conversation has seen what is private: a workspace's files, an answer of a connector, notes, an end user's words, lists of the account.
-- Set by the first of them, never taken back: what was said after it may quote it.
ALTER TABLE "conversations" ADD COLUMN     "seen_private" BOOLEAN NOT NULL DEFAULT false;

-- Whether a run begins with something private in its hands: a workspace, an end user's input, its agent's notes, or what the run that started it, or that it
-- repeats, has seen. A build is told what to do by that run and shown nothing else of it, so that it begins without.
CREATE FUNCTION "begins_private"(r runs) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT r.kind NOT IN ('agent_creation', 'agent_edit') AND (
    r.workspace_id IS NOT NULL OR r.kind = 'app'
    OR EXISTS (SELECT 1 FROM agents a WHERE a.id = r.agent_id AND a.account_id = r.account_id AND a.config #> '{tools,memory}' = 'true')
    OR EXISTS (SELECT 1 FROM runs o JOIN conversations c ON c.id = o.conversation_id AND c.account_id = o.account_id
               WHERE o.id IN (r.parent_run_id, r.replayed_from, r.history_of) AND o.account_id = r.account_id AND c.seen_private))
$$;

-- A new conversation stands behind its first run.
CREATE FUNCTION "begin_conversation_private"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.seen_private := NEW.seen_private OR EXISTS (
    SELECT 1 FROM runs r WHERE r.id = NEW.active_run_id AND r.account_id = NEW.account_id AND begins_private(r));
  RETURN NEW;
END $$;
CREATE TRIGGER "conversations_begin_private" BEFORE INSERT ON "conversations" FOR EACH ROW WHEN (NEW.active_run_id IS NOT NULL)
  EXECUTE FUNCTION "begin_conversation_private"();

-- One that goes on has its row written, and so held, by the same acceptance before.
CREATE FUNCTION "go_on_private"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations SET seen_private = true
  WHERE id = NEW.conversation_id AND account_id = NEW.account_id AND NOT seen_private AND begins_private(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER "runs_go_on_private" AFTER INSERT ON "runs" FOR EACH ROW
  WHEN (NEW.conversation_id IS NOT NULL AND (NEW.workspace_id IS NOT NULL OR NEW.agent_id IS NOT NULL OR NEW.kind = 'app' OR NEW.parent_run_id IS NOT NULL))
  EXECUTE FUNCTION "go_on_private"();
CREATE TRIGGER "runs_repeat_private" AFTER UPDATE OF "replayed_from", "history_of" ON "runs" FOR EACH ROW
  WHEN (NEW.conversation_id IS NOT NULL AND NEW.replayed_from IS NOT NULL) EXECUTE FUNCTION "go_on_private"();

-- `store_tool_result`, of a result that is private: the conversation's row before the log's, as where a run ends.
CREATE FUNCTION "store_private_result"(p jsonb, p_lines text, p_conversation uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations SET seen_private = true WHERE id = p_conversation AND NOT seen_private;
  PERFORM store_tool_result(p, p_lines);
END $$;

-- What was seen before this was noted, as far as rows tell: in doubt it was private.
UPDATE conversations c SET seen_private = true
WHERE EXISTS (SELECT 1 FROM runs r WHERE r.conversation_id = c.id AND r.account_id = c.account_id AND (
  begins_private(r) OR EXISTS (SELECT 1 FROM run_tool_results s WHERE s.run_id = r.id AND CASE
    WHEN r.kind IN ('agent_creation', 'agent_edit') THEN s.name IN ('read_workspace', 'read_connector', 'try_agent')
    ELSE s.name NOT IN ('web_fetch', 'web_search', 'run_javascript', 'todo', 'artifacts', 'image', 'speech', 'video', 'read_skill') END)));
