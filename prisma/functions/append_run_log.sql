-- Appends one batch to a run's log, or raises LT002: the log has another writer, or its last line.
CREATE OR REPLACE FUNCTION append_run_log(p_log log_batch)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM append_run_logs(ARRAY[p_log]);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the log has another writer' USING ERRCODE = 'LT002';
  END IF;
END $$;
