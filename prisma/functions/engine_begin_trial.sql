-- Says that a run begins by itself which a process has died with. One process at a time tries one
-- of a lane, so that at most one dies of it. Gives null where the driver has lost the run; -1 where
-- another one is tried; else how often the run was among several that a process died with.
CREATE OR REPLACE FUNCTION engine_begin_trial(p_run uuid, p_owner integer, p_attempt integer)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_lane text;
  v_suspicions int;
BEGIN
  PERFORM pg_advisory_xact_lock(6785);
  SELECT lane INTO v_lane FROM engine_runs
  WHERE id = p_run AND owner = p_owner AND attempt = p_attempt AND status = 'active';
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- A process that froze in a trial holds the others up no longer than this.
  IF EXISTS (
    SELECT 1 FROM engine_runs r
    WHERE r.owner IS NOT NULL AND r.owner <> p_owner
      AND r.lane = v_lane AND r.tried_attempt = r.attempt AND NOT r.trial_passed
      AND r.tried_at > clock_timestamp() - interval '4 seconds')
  THEN
    RETURN -1;
  END IF;
  UPDATE engine_runs
  SET tried_at = clock_timestamp(), tried_attempt = attempt, trial_passed = false
  WHERE id = p_run AND owner = p_owner AND attempt = p_attempt AND status = 'active'
  RETURNING suspicions INTO v_suspicions;
  RETURN v_suspicions;
END $$;
