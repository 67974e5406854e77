-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `engine_send` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION engine_send(
  p_id text,
  p_name text,
  p_data text,
  p_function text,
  p_match text[],
  p_starts json
)
RETURNS json
LANGUAGE sql AS $$
  SELECT CASE WHEN s.lanes IS NOT NULL THEN routed_of(s.lanes, s.woken, s.owners) END
  FROM engine_send(p_id, p_name, p_data,
    p_function, p_match, p_starts IS NOT NULL, starts_of(p_starts), cancels_of(p_starts)) s
$$;
