-- begin_turn tells what the run has cost as it stands when the log is taken: a driver that was replaced may have charged a cut call after the run was read.
CREATE OR REPLACE FUNCTION "begin_turn"(p jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_run uuid := (p ->> 'run')::uuid;
  v_status text;
  v_started timestamptz;
  v_log record;
  v_cover jsonb;
BEGIN
  -- What is lost with the server is done again by whoever takes the run up.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE runs SET status = 'running', started_at = now() WHERE id = v_run AND status = 'pending';
  SELECT status, started_at INTO v_status, v_started FROM runs WHERE id = v_run FOR SHARE;
  IF p ->> 'writer' IS NULL THEN
    UPDATE run_logs SET writer = writer + 1, owner = (p ->> 'process')::int, lease_until = NULL WHERE run_id = v_run AND closed_at IS NULL
    RETURNING writer, next_sequence, open_message_id INTO v_log;
    IF NOT FOUND THEN RETURN jsonb_build_object('status', 'closed'); END IF;
  ELSE
    SELECT writer, next_sequence, open_message_id INTO v_log FROM run_logs WHERE run_id = v_run AND writer = (p ->> 'writer')::int AND closed_at IS NULL FOR SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'the log has another writer' USING ERRCODE = 'LT002'; END IF;
  END IF;
  IF v_status = 'running' AND p -> 'cover' <> 'null' THEN
    v_cover := cover_call(v_run, (p ->> 'account')::uuid, (p -> 'cover' ->> 'max')::bigint, (p -> 'cover' ->> 'root')::uuid,
      (p -> 'cover' ->> 'least')::bigint, (p -> 'cover' ->> 'most')::bigint);
  END IF;
  RETURN jsonb_build_object('status', v_status, 'started_ms', (extract(epoch FROM clock_timestamp() - v_started) * 1000)::bigint,
    'writer', v_log.writer, 'next', v_log.next_sequence, 'open_message', v_log.open_message_id,
    'spent', (SELECT coalesce(sum(credits_micros), 0)::text FROM run_usage WHERE run_id = v_run), 'covered', v_cover ->> 'covered', 'room', v_cover ->> 'room', 'holds', v_cover IS NOT NULL);
END $$;
