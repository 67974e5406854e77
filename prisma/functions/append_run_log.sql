-- Appends one batch to a run's log, or raises LT002: the log has another writer, or its last line.
CREATE OR REPLACE FUNCTION append_run_log(p_log log_batch)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT move_run_log(p_log) THEN
    RAISE EXCEPTION 'the log has another writer' USING ERRCODE = 'LT002';
  END IF;
END $$;
