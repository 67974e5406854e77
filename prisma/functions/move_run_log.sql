-- Appends one batch to a run's log where its fence fits, and says whether it did. With
-- `append_run_logs`, which does it with many, the one place where a log moves on.
CREATE OR REPLACE FUNCTION move_run_log(p_log log_batch)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE run_logs log SET
    next_sequence = p_log.last + 1,
    closed_at = CASE WHEN p_log.closes THEN now() END,
    owner = CASE WHEN p_log.closes THEN NULL ELSE log.owner END,
    open_message_id = CASE WHEN p_log.is_whole THEN NULL
      ELSE coalesce(p_log.message, log.open_message_id) END,
    todo = coalesce(p_log.todo, log.todo)
  WHERE log.run_id = p_log.run AND log.writer = p_log.writer
    AND log.next_sequence = p_log.first AND log.closed_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF p_log.lines IS NOT NULL THEN
    INSERT INTO run_events (run_id, first_sequence, last_sequence, lines)
    VALUES (p_log.run, p_log.first, p_log.last, p_log.lines);
  END IF;
  RETURN true;
END $$;
