-- Makes a process the writer of a run's log: the one before can store nothing more. Gives no row
-- where the log is closed or not there, and with `p_abandoned` where a process holds it that has
-- shown within `p_alive_seconds` that it lives.
CREATE OR REPLACE FUNCTION take_log(
  p_run uuid,
  p_process integer,
  p_abandoned boolean,
  p_alive_seconds integer
)
RETURNS TABLE (writer integer, next integer, open_message uuid)
LANGUAGE plpgsql AS $$
-- Nullable: p_process, open_message.
BEGIN
  RETURN QUERY
  UPDATE run_logs log SET writer = log.writer + 1, owner = p_process
  WHERE log.run_id = p_run AND log.closed_at IS NULL
    AND NOT (p_abandoned AND EXISTS (
      SELECT 1 FROM engine_processes holder
      WHERE holder.id = log.owner
        AND holder.seen_at > clock_timestamp() - make_interval(secs => p_alive_seconds)))
  RETURNING log.writer, log.next_sequence, log.open_message_id;
END $$;
