-- The first runs that wait under the keys of a lane which have room, in their turn: of as many keys
-- as `p_free`, at most as many of each, none under a key of `p_full`. Goes from one key's first run
-- to the next key's by an index, and counts only of those in front, and no more than their limit:
-- what it costs follows the number of keys under which runs wait, not the number of runs. With
-- second keys that are full there are as many more looks as keys of them are met.
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
  WITH RECURSIVE waits AS (
    (SELECT r.key, r.function_id, r.turn, r.since, r.event_id FROM engine_runs r
      WHERE r.queued AND r.lane = p_lane AND r.owner IS NULL
        AND (r.second_key IS NULL OR r.second_key <> ALL (p_full))
      ORDER BY r.key, r.turn, r.since LIMIT 1)
    UNION ALL
    SELECT next.* FROM waits w CROSS JOIN LATERAL (
      SELECT r.key, r.function_id, r.turn, r.since, r.event_id FROM engine_runs r
      WHERE r.queued AND r.lane = p_lane AND r.owner IS NULL AND r.key > w.key
        AND (r.second_key IS NULL OR r.second_key <> ALL (p_full))
      ORDER BY r.key, r.turn, r.since LIMIT 1) next
  ), roomy AS (
    -- A key that has room is among the first as soon as enough have: the others are not counted.
    SELECT first.key
    FROM (SELECT * FROM waits w ORDER BY w.turn, w.since, w.event_id OFFSET 0) first
      -- Asked once a key, and so not to be put into the condition below.
      CROSS JOIN LATERAL (
        SELECT engine_most(first.key, first.function_id, p_limits) AS most OFFSET 0) allowed
    WHERE first.key <> ALL (p_full)
      AND (allowed.most IS NULL OR engine_at_work(first.key, allowed.most) < allowed.most)
    ORDER BY first.turn, first.since, first.event_id LIMIT p_free
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
