-- A run and those above it, from itself upwards, each with what it may cost with all below it, in
-- millionths of a credit: the lesser of its own limit and of its agent's.
CREATE OR REPLACE FUNCTION runs_above(p_run uuid, p_account uuid)
RETURNS TABLE (run uuid, most bigint)
LANGUAGE plpgsql STABLE AS $$
-- Nullable: most.
BEGIN
  RETURN QUERY
    WITH RECURSIVE above AS (
      SELECT r.id, r.parent_run_id, r.agent_id, r.kind, r.max_credits_micros FROM runs r
      WHERE r.id = p_run AND r.account_id = p_account
      UNION ALL
      SELECT r.id, r.parent_run_id, r.agent_id, r.kind, r.max_credits_micros FROM runs r
      JOIN above b ON r.id = b.parent_run_id
      WHERE r.account_id = p_account
    )
    SELECT b.id, least(b.max_credits_micros,
      round((a.config #>> '{limits,max_credits}')::numeric * 1000000)::bigint)
    FROM above b LEFT JOIN agents a
      ON a.id = b.agent_id AND a.account_id = p_account AND b.kind IN ('agent', 'app');
END $$;
