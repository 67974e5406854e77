-- Of the release before, within whose functions it may be at work while this one is rolled out; the
-- next release drops it.
CREATE OR REPLACE FUNCTION engine_fold(p jsonb)
RETURNS void
LANGUAGE sql AS $$
  SELECT engine_store_result(result_of(p))
$$;
