-- The next turn of a key in its lane: behind its own runs that wait or work, and never before the
-- turn that the lane has come to.
CREATE OR REPLACE FUNCTION engine_next_turn(p_lane text, p_key text)
RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN greatest(
    coalesce((SELECT clock FROM engine_lanes WHERE lane = p_lane), 0),
    coalesce((SELECT turn + 1 FROM engine_runs
      WHERE key = p_key AND queued ORDER BY since DESC LIMIT 1), 0),
    coalesce((SELECT max(turn) + 1 FROM engine_runs
      WHERE key = p_key AND owner IS NOT NULL), 0));
END $$;
