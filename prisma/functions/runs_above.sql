-- A run and those above it, from itself upwards, each with what it may cost with all below it, in
-- millionths of a credit: its own limit where that was raised, else the lesser of it and of its
-- agent's, in the version that it is pinned to; a build works on its agent, and by none. Of a child
-- that waits for credits what was left as it began is no limit: those above it hold, as they are
-- now.
CREATE OR REPLACE FUNCTION runs_above(p_run uuid, p_account uuid)
RETURNS TABLE (run uuid, most bigint)
LANGUAGE plpgsql STABLE AS $$
-- Nullable: most.
BEGIN
  RETURN QUERY
    WITH RECURSIVE above AS (
      SELECT r.id, r.parent_run_id, r.agent_id, r.agent_version, r.kind, r.max_credits_micros,
        r.max_is_raised, r.on_budget FROM runs r
      WHERE r.id = p_run AND r.account_id = p_account
      UNION ALL
      SELECT r.id, r.parent_run_id, r.agent_id, r.agent_version, r.kind, r.max_credits_micros,
        r.max_is_raised, r.on_budget FROM runs r
      JOIN above b ON r.id = b.parent_run_id
      WHERE r.account_id = p_account
    )
    SELECT b.id, CASE WHEN b.max_is_raised THEN b.max_credits_micros
      ELSE least(
        CASE WHEN b.parent_run_id IS NULL OR b.on_budget IS DISTINCT FROM 'wait'
          THEN b.max_credits_micros END,
        round((coalesce(v.config, a.config) #>> '{limits,max_credits}')::numeric * 1000000)::bigint)
      END
    FROM above b LEFT JOIN agents a
      ON a.id = b.agent_id AND a.account_id = p_account
        AND b.kind NOT IN ('agent_creation', 'agent_edit')
    LEFT JOIN agent_versions v ON v.agent_id = a.id AND v.number = b.agent_version;
END $$;
