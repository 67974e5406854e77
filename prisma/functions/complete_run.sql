-- Ends a run as completed with its last turn: turn, charge, status, conversation, answer,
-- approvals, last lines, hold, and its engine run, or nothing of it. Without a turn: it is stored
-- already, and charged. Raises LT004 when the run has ended meanwhile, and what `append_run_log`,
-- `engine_store_result` and `charge_as_said` raise.
CREATE OR REPLACE FUNCTION complete_run(
  p_run uuid,
  p_account uuid,
  p_result jsonb,
  p_message_id uuid,
  p_turn model_turn,
  p_spans span_part[],
  p_charge call_charge,
  p_paid bigint,
  p_log log_batch,
  p_end engine_result
)
RETURNS void
LANGUAGE plpgsql AS $$
-- Nullable: p_turn, p_charge, p_paid, p_end.
BEGIN
  PERFORM end_run(p_run, p_account, 'completed', p_result, NULL, NULL, p_message_id);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the run has ended' USING ERRCODE = 'LT004';
  END IF;
  IF p_turn.run IS NOT NULL THEN
    PERFORM store_model_turn(p_turn, p_spans);
  END IF;
  PERFORM append_run_log(p_log);
  IF p_end.run IS NOT NULL THEN
    PERFORM engine_store_result(p_end);
  END IF;
  IF p_turn.run IS NOT NULL THEN
    -- No call follows that something is kept for: the wallet's row is written once.
    p_charge.keep := 0;
    PERFORM charge_as_said(p_charge, p_paid);
  END IF;
  PERFORM release_hold(p_run);
END $$;
