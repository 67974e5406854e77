-- Appends batches to the logs of runs, each where its fence fits. Gives the places, from 1, of
-- those that were stored.
--
-- One after another, by statements of one row: a join with the array has a plan made at each call,
-- which costs more than a dozen of them.
CREATE OR REPLACE FUNCTION append_run_logs(p_batches log_batch[])
RETURNS TABLE (place integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_log log_batch;
BEGIN
  place := 0;
  FOREACH v_log IN ARRAY p_batches LOOP
    place := place + 1;
    IF move_run_log(v_log) THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;
