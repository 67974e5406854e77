-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `complete_run` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION complete_run(p jsonb, p_lines text)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_run uuid := (p ->> 'run')::uuid;
  v_account uuid;
BEGIN
  SELECT account_id INTO v_account FROM runs WHERE id = v_run;
  PERFORM complete_run(v_run, v_account, p -> 'result', (p ->> 'message_id')::uuid,
    turn_of(v_run, p -> 'turn'), spans_of(p -> 'turn' -> 'spans'), charge_of(p -> 'charge'),
    (p ->> 'paid')::bigint, log_of(p -> 'log', p_lines), result_of(p -> 'fold'));
END $$;
