-- Appends batches to the logs of runs, each where its fence fits, as `move_run_log` does with one:
-- run-log.db.test.ts compares the two. Many together cost half of what they do one by one. Gives
-- the places, from 1, of those that were stored.
CREATE OR REPLACE FUNCTION append_run_logs(p_batches log_batch[])
RETURNS TABLE (place integer)
-- A join with an array is planned anew at each call otherwise.
SET plan_cache_mode = force_generic_plan
LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(p_batches) = 1 THEN
    place := 1;
    IF move_run_log(p_batches[1]) THEN
      RETURN NEXT;
    END IF;
    RETURN;
  END IF;
  RETURN QUERY
  WITH moved AS (
    UPDATE run_logs log SET
      next_sequence = batch.last + 1,
      closed_at = CASE WHEN batch.closes THEN now() END,
      owner = CASE WHEN batch.closes THEN NULL ELSE log.owner END,
      open_message_id = CASE WHEN batch.is_whole THEN NULL
        ELSE coalesce(batch.message, log.open_message_id) END,
      todo = coalesce(batch.todo, log.todo)
    FROM unnest(p_batches) WITH ORDINALITY AS batch
      (run, writer, first, last, closes, message, is_whole, todo, lines, nth)
    WHERE log.run_id = batch.run AND log.writer = batch.writer
      AND log.next_sequence = batch.first AND log.closed_at IS NULL
    RETURNING batch.run, batch.first, batch.last, batch.lines, batch.nth
  ), stored AS (
    INSERT INTO run_events (run_id, first_sequence, last_sequence, lines)
    SELECT moved.run, moved.first, moved.last, moved.lines FROM moved
    WHERE moved.lines IS NOT NULL
  )
  SELECT moved.nth::integer FROM moved;
END $$;
