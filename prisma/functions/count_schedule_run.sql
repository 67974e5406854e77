-- The run of a schedule's firing has ended: a failure counts, a success begins the count anew. One
-- that was cancelled is neither. What its error says stays with the run, and goes with it.
CREATE OR REPLACE FUNCTION count_schedule_run()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'failed' THEN
    UPDATE schedules SET failures = failures + 1,
      last_failure = jsonb_build_object('code', NEW.error ->> 'code', 'run_id', NEW.id)
    WHERE id = NEW.schedule_id AND account_id = NEW.account_id;
  ELSIF NEW.status = 'completed' THEN
    UPDATE schedules SET failures = 0
    WHERE id = NEW.schedule_id AND account_id = NEW.account_id AND failures > 0;
  END IF;
  RETURN NULL;
END $$;
