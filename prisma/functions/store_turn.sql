-- Stores a turn that another follows with its charge, its lines and its step's result, or nothing
-- of it. Without a turn (its call was broken off) the charge and the lines alone. Raises what
-- `append_run_log`, `engine_store_result` and `charge_as_said` raise.
CREATE OR REPLACE FUNCTION store_turn(
  p_turn model_turn,
  p_spans span_part[],
  p_charge call_charge,
  p_paid bigint,
  p_log log_batch,
  p_result engine_result
)
RETURNS void
LANGUAGE plpgsql AS $$
-- Nullable: p_turn, p_result.
BEGIN
  IF p_turn.run IS NOT NULL THEN
    PERFORM store_model_turn(p_turn, p_spans);
  END IF;
  PERFORM append_run_log(p_log);
  IF p_result.run IS NOT NULL THEN
    PERFORM engine_store_result(p_result);
  END IF;
  PERFORM charge_as_said(p_charge, p_paid);
END $$;
