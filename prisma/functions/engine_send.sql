-- Stores an event and does what it calls for; nothing when its id is known. Without `p_routes` (the
-- sender drives nothing, and does not know what it starts) the event waits for a process that does.
-- Gives what `engine_route` gives, nulls where nothing was done.
CREATE OR REPLACE FUNCTION engine_send(
  p_id text,
  p_name text,
  p_data text,
  p_function text,
  p_match_values text[],
  p_routes boolean,
  p_starts engine_start[],
  p_cancels engine_cancel[],
  OUT lanes text[],
  OUT woken uuid[],
  OUT owners integer[]
)
LANGUAGE plpgsql AS $$
-- Nullable: p_function, lanes, woken, owners.
DECLARE
  v_received timestamptz;
BEGIN
  INSERT INTO engine_events (id, name, data, function_id, match_values, routed_at)
  VALUES (p_id, p_name, p_data, p_function, p_match_values, CASE WHEN p_routes THEN now() END)
  ON CONFLICT (id) DO NOTHING RETURNING received_at INTO v_received;
  IF NOT FOUND OR NOT p_routes THEN
    RETURN;
  END IF;
  SELECT r.lanes, r.woken, r.owners INTO lanes, woken, owners
  FROM engine_route(p_id, engine_event(p_id, p_name, p_data, v_received), p_match_values,
    clock_timestamp(), p_starts, p_cancels) r;
END $$;
