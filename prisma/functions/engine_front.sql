-- The first runs that wait in a lane, in their turn. One more than are looked at says that others
-- wait behind them.
CREATE OR REPLACE FUNCTION engine_front(p_lane text)
RETURNS TABLE (id uuid, function_id text, key text, second_key text, turn bigint)
LANGUAGE plpgsql STABLE AS $$
-- Nullable: second_key.
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT r.id, r.function_id, r.key, r.second_key, r.turn FROM engine_runs r
  WHERE r.lane = p_lane AND r.queued AND r.owner IS NULL
  -- A number that the planner sees: the index is read, and nothing is sorted.
  ORDER BY r.turn, r.since, r.event_id LIMIT 25;
END $$;
