-- The result of a step of the engine, or the end of its run, as part of the transaction that makes
-- it true. Raises LT001 when the driver has lost the run.
CREATE OR REPLACE FUNCTION engine_store_result(p_result engine_result)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_result.step_id IS NULL THEN
    UPDATE engine_runs SET status = 'completed', output = 'null', ended_at = now(), owner = NULL,
      due_at = NULL
    WHERE id = p_result.run AND attempt = p_result.attempt AND owner = p_result.owner
      AND status = 'active';
    IF FOUND THEN
      DELETE FROM engine_waits WHERE run_id = p_result.run;
      RETURN;
    END IF;
  ELSE
    PERFORM 1 FROM engine_runs
    WHERE id = p_result.run AND attempt = p_result.attempt AND owner = p_result.owner
      AND status = 'active' FOR SHARE;
    IF FOUND THEN
      INSERT INTO engine_steps (run_id, id, op, name, done, data)
      VALUES (p_result.run, p_result.step_id, 'StepRun', p_result.step_name, true,
        p_result.step_data)
      ON CONFLICT (run_id, id) DO UPDATE SET done = true, data = excluded.data, error = NULL,
        due_at = NULL, position = DEFAULT
      WHERE NOT engine_steps.done;
      RETURN;
    END IF;
  END IF;
  RAISE EXCEPTION 'another driver has this run' USING ERRCODE = 'LT001';
END $$;
