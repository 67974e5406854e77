-- Of the release before, within whose functions it may be at work while this one is rolled out; the
-- next release drops it.
CREATE OR REPLACE FUNCTION engine_route(
  p_id text,
  p_event json,
  p_match text[],
  p_received timestamptz,
  p_starts json
)
RETURNS json
LANGUAGE sql AS $$
  SELECT routed_of(r.lanes, r.woken, r.owners) FROM engine_route(p_id, p_event, p_match,
    p_received, starts_of(p_starts), cancels_of(p_starts)) r
$$;
