-- Shows messages to a run with a turn that begins: from now on they stand in its transcript before
-- that turn, and in its conversation behind what it was asked. With the lines that say so, or
-- nothing of it; raises what `append_run_log` raises, so that only the log's writer does it.
-- `p_text`: what they say, one below the other.
CREATE OR REPLACE FUNCTION receive_messages(
  p_run uuid,
  p_account uuid,
  p_turn integer,
  p_messages uuid[],
  p_text text,
  p_log log_batch
)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM append_run_log(p_log);
  UPDATE run_messages m SET turn = p_turn
  WHERE m.run_id = p_run AND m.account_id = p_account AND m.id = ANY (p_messages)
    AND m.turn IS NULL;
  UPDATE messages m SET text = m.text || E'\n\n' || p_text FROM conversations c
  WHERE m.run_id = p_run AND m.role = 'user' AND c.id = m.conversation_id
    AND c.account_id = p_account;
END $$;
