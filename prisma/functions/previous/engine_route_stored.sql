-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `engine_route_stored` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION engine_route_stored(p_id text, p_starts json)
RETURNS json
LANGUAGE sql AS $$
  SELECT CASE WHEN s.lanes IS NOT NULL THEN routed_of(s.lanes, s.woken, s.owners) END
  FROM engine_route_stored(p_id, starts_of(p_starts), cancels_of(p_starts)) s
$$;
