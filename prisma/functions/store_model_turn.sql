-- One turn of a run's transcript, with the calls before it that came to nothing.
CREATE OR REPLACE FUNCTION store_model_turn(p_turn model_turn, p_spans span_part[])
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason,
    agent_version_id, started_at, first_token_ms, reasoning_tokens, request_id, told,
    counted_tokens)
  VALUES (p_turn.run, p_turn.turn, p_turn.message_id, p_turn.model, p_turn.content,
    p_turn.finish_reason, p_turn.agent_version_id,
    now() - make_interval(secs => p_turn.took_ms / 1000), p_turn.first_token_ms,
    p_turn.reasoning_tokens, p_turn.request_id, p_turn.told,
    p_turn.counted_tokens);
  IF cardinality(p_spans) > 0 THEN
    PERFORM store_run_spans(p_turn.run, p_spans);
  END IF;
END $$;
