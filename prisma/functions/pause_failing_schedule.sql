-- Ten failures in a row (`SCHEDULE_FAILURES_MAX`) switch a schedule off, and stand on it as the
-- reason.
CREATE OR REPLACE FUNCTION pause_failing_schedule()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.enabled AND NEW.failures >= 10 THEN
    NEW.enabled := false;
    NEW.next_run_at := NULL;
    NEW.paused_at := now();
    NEW.paused_reason := format('%s firings in a row failed, the last one with %s: %s',
      NEW.failures, NEW.last_failure ->> 'code',
      coalesce(NEW.last_failure ->> 'message', 'its run failed.'));
    NEW.updated_at := now();
  END IF;
  RETURN NEW;
END $$;
