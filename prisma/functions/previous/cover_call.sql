-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `cover_model_call`, by JSON.
CREATE OR REPLACE FUNCTION cover_call(
  p_run uuid,
  p_account uuid,
  p_max bigint,
  p_root uuid,
  p_least bigint,
  p_most bigint
)
RETURNS jsonb
LANGUAGE sql AS $$
  SELECT jsonb_build_object('covered', c.covered::text, 'room', c.room::text)
  FROM cover_model_call(p_run, p_account, p_max, p_root, p_least, p_most) c
$$;
