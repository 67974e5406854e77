-- Of the release before, within whose functions it may be at work while this one is rolled out; the
-- next release drops it.
CREATE OR REPLACE FUNCTION store_run_turn(p_run uuid, p jsonb)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_model_turn(turn_of(p_run, p), spans_of(p -> 'spans'))
$$;
