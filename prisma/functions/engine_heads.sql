-- The first runs that wait under each key of a lane which has room, in their turn: at most `p_free`
-- of a key, none under a key of `p_full`. Goes from one key to the next by an index, and counts of
-- each no more than its limit: what it costs follows the number of keys under which runs wait, not
-- the number of runs.
CREATE OR REPLACE FUNCTION engine_heads(
  p_lane text,
  p_free integer,
  p_limits function_limit[],
  p_full text[]
)
RETURNS TABLE (id uuid, function_id text, key text, second_key text, turn bigint)
LANGUAGE plpgsql STABLE AS $$
-- Nullable: second_key.
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH RECURSIVE waits (key) AS (
    (SELECT r.key FROM engine_runs r WHERE r.queued AND r.lane = p_lane ORDER BY r.key LIMIT 1)
    UNION ALL
    SELECT (SELECT r.key FROM engine_runs r
      WHERE r.queued AND r.lane = p_lane AND r.key > w.key ORDER BY r.key LIMIT 1)
    FROM waits w WHERE w.key IS NOT NULL
  ), roomy AS (
    SELECT w.key FROM waits w
      CROSS JOIN LATERAL (
        SELECT r.function_id FROM engine_runs r
        WHERE r.queued AND r.lane = p_lane AND r.key = w.key LIMIT 1) one
      -- Asked once a key, and so not to be put into the condition below.
      CROSS JOIN LATERAL (
        SELECT engine_most(w.key, one.function_id, p_limits) AS most OFFSET 0) allowed
    WHERE w.key <> ALL (p_full)
      AND (allowed.most IS NULL OR engine_at_work(w.key, allowed.most) < allowed.most)
  )
  SELECT head.id, head.function_id, head.key, head.second_key, head.turn
  FROM roomy CROSS JOIN LATERAL (
    SELECT r.id, r.function_id, r.key, r.second_key, r.turn, r.since, r.event_id
    FROM engine_runs r
    WHERE r.queued AND r.lane = p_lane AND r.key = roomy.key AND r.owner IS NULL
      AND (r.second_key IS NULL OR r.second_key <> ALL (p_full))
    ORDER BY r.turn, r.since, r.event_id LIMIT p_free) head
  ORDER BY head.turn, head.since, head.event_id;
END $$;
