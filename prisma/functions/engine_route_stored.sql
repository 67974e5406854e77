-- `engine_send` for an event that waited; nulls when somebody was quicker.
CREATE OR REPLACE FUNCTION engine_route_stored(
  p_id text,
  p_starts engine_start[],
  p_cancels engine_cancel[],
  OUT lanes text[],
  OUT woken uuid[],
  OUT owners integer[]
)
LANGUAGE plpgsql AS $$
-- Nullable: lanes, woken, owners.
DECLARE
  v_event engine_events;
BEGIN
  UPDATE engine_events SET routed_at = now() WHERE id = p_id AND routed_at IS NULL
  RETURNING * INTO v_event;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT r.lanes, r.woken, r.owners INTO lanes, woken, owners
  FROM engine_route(p_id,
    engine_event(p_id, v_event.name, v_event.data, v_event.received_at),
    v_event.match_values, v_event.received_at, p_starts, p_cancels) r;
END $$;
