-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/take_log.sql
-- Makes a process the writer of a run's log: the one before can store nothing more. Gives no row
-- where the log is closed or not there, and with `p_abandoned` where a process holds it that has
-- shown within `p_alive_seconds` that it lives.
--
-- The fence is no next number but one that nobody has had: what takes a log over mostly does not
-- wait for its flush (`begin_model_turn`), so a crash of the server can undo it while the process
-- that had it lives, and whoever takes the log next must not be given the same.
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
  -- Not a condition of the statement below: what mostly falls away has it planned at each call.
  IF p_abandoned THEN
    PERFORM 1 FROM run_logs log WHERE log.run_id = p_run FOR NO KEY UPDATE;
    IF EXISTS (
      SELECT 1 FROM run_logs log JOIN engine_processes holder ON holder.id = log.owner
      WHERE log.run_id = p_run
        AND holder.seen_at > clock_timestamp() - make_interval(secs => p_alive_seconds))
    THEN
      RETURN;
    END IF;
  END IF;
  RETURN QUERY
  UPDATE run_logs log SET owner = p_process,
    writer = (log.writer + 1 + floor(random() * 1000000)::bigint) % 2147483647
  WHERE log.run_id = p_run AND log.closed_at IS NULL
  RETURNING log.writer, log.next_sequence, log.open_message_id;
END $$;

RESET check_function_bodies;
