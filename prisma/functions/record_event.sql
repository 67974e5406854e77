-- Says that something has happened in an account, in the transaction that makes it true: it is in
-- the account's feed, and on its way to each endpoint that listens for it, when and only if that
-- commits. The engine's events of these deliveries are stored, not routed: who drives the engine is
-- told of them, and finds them at its next beat where that word is lost.
CREATE OR REPLACE FUNCTION record_event(p_account uuid, p_type text, p_data jsonb)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_event uuid := new_id();
  v_at timestamptz(3);
  v_endpoint record;
  v_delivery uuid;
  v_told boolean := false;
BEGIN
  INSERT INTO account_events (id, account_id, type, data)
  VALUES (v_event, p_account, p_type, p_data) RETURNING created_at INTO v_at;
  FOR v_endpoint IN
    SELECT e.id, e.url FROM webhook_endpoints e
    WHERE e.account_id = p_account AND e.enabled AND e.events && ARRAY['*', p_type] ORDER BY e.id
  LOOP
    v_delivery := new_id();
    INSERT INTO webhook_deliveries
      (id, run_id, account_id, url, status, payload, endpoint_id, event_id, event_type)
    VALUES (v_delivery, (p_data ->> 'run_id')::uuid, p_account, v_endpoint.url, 'pending',
      json_build_object('id', v_event, 'type', p_type,
        'created_at', to_char(v_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'account_id', p_account, 'data', p_data)::text,
      v_endpoint.id, v_event, p_type);
    INSERT INTO engine_events (id, name, data)
    VALUES (v_delivery, 'webhook/requested', json_build_object('delivery_id', v_delivery,
      'round', 0, 'account_id', p_account,
      'host', coalesce(substring(v_endpoint.url FROM '^[^:]+://([^/?#]+)'), ''))::text);
    v_told := true;
  END LOOP;
  IF v_told THEN
    PERFORM pg_notify('engine_wake', 'stored');
  END IF;
END $$;
