-- Takes a run up for the process that has just put it into the queue, by this very transaction and
-- as its last act: only where nothing waits in its lane, so that it passes nobody, where its key
-- has room, and while the process is not given up for dead. Else it waits for its turn like all
-- others. Gives whether it was taken.
--
-- What counts the places of a lane (`engine_claim`) and this exclude each other, and of one key's
-- runs one is taken at a time, until the transaction ends. It waits for no lock itself: who holds
-- one may wait for a flush.
--
-- Its turn is the one that the lane has come to: nobody who comes later is put before what waits by
-- that, and the lane need not be written to.
CREATE OR REPLACE FUNCTION engine_claim_new(
  p_run uuid,
  p_owner integer,
  p_limits function_limit[]
)
RETURNS boolean
-- As `engine_claim`.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
LANGUAGE plpgsql AS $$
DECLARE
  v_run record;
  v_most int;
BEGIN
  SELECT r.lane, r.key, r.second_key, r.function_id INTO v_run
  FROM engine_runs r WHERE r.id = p_run AND r.queued AND r.owner IS NULL;
  IF NOT FOUND OR v_run.second_key IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM engine_processes p WHERE p.id = p_owner)
    OR EXISTS (
      SELECT 1 FROM engine_runs r WHERE r.lane = v_run.lane AND r.queued AND r.id <> p_run)
  THEN
    RETURN false;
  END IF;
  IF NOT pg_try_advisory_xact_lock_shared(6786, hashtext(v_run.lane))
    OR NOT pg_try_advisory_xact_lock(6787, hashtext(v_run.key))
  THEN
    RETURN false;
  END IF;
  v_most := engine_most(v_run.key, v_run.function_id, p_limits);
  IF v_most IS NOT NULL AND engine_at_work(v_run.key, v_most) >= v_most THEN
    RETURN false;
  END IF;
  UPDATE engine_runs r SET owner = p_owner, attempt = r.attempt + 1, queued = false,
    turn = coalesce((SELECT l.clock FROM engine_lanes l WHERE l.lane = v_run.lane), 0)
  WHERE r.id = p_run;
  RETURN true;
END $$;
