-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `append_run_log(log_batch)`, by JSON.
CREATE OR REPLACE FUNCTION append_run_log(p jsonb, p_lines text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM append_run_log(log_of(p, p_lines));
END $$;
