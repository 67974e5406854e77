-- Has a run that sleeps wait for a place, or tells its driver by `wakes`. Gives the driver's
-- process; null where nobody drives it.
CREATE OR REPLACE FUNCTION engine_wake(p_run uuid)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_owner int;
BEGIN
  UPDATE engine_runs SET
    wakes = wakes + 1,
    turn = CASE WHEN owner IS NULL AND NOT queued AND lane IS NOT NULL
      THEN engine_next_turn(lane, key) ELSE turn END,
    due_at = CASE WHEN owner IS NULL THEN NULL ELSE due_at END,
    queued = owner IS NULL AND lane IS NOT NULL
  WHERE id = p_run AND status = 'active' RETURNING owner INTO v_owner;
  RETURN v_owner;
END $$;
