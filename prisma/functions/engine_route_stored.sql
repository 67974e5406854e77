-- `engine_send` for an event that waited; no row when somebody was quicker.
CREATE OR REPLACE FUNCTION engine_route_stored(
  p_id text,
  p_starts engine_start[],
  p_cancels engine_cancel[]
)
RETURNS TABLE (lanes text[], woken uuid[], owners integer[])
LANGUAGE plpgsql AS $$
DECLARE
  v_event engine_events;
BEGIN
  UPDATE engine_events SET routed_at = now() WHERE id = p_id AND routed_at IS NULL
  RETURNING * INTO v_event;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT * FROM engine_route(p_id,
    engine_event(p_id, v_event.name, v_event.data, v_event.received_at),
    v_event.match_values, v_event.received_at, p_starts, p_cancels);
END $$;
