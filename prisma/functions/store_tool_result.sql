-- Stores a tool call's result with its lines and its step's result, or nothing of it. `p_shows`:
-- the conversation that has seen what is private with it; its row comes before the log's, as
-- where a run ends.
CREATE OR REPLACE FUNCTION store_tool_result(
  p_run uuid,
  p_account uuid,
  p_tool_call_id text,
  p_turn integer,
  p_name text,
  p_succeeded boolean,
  p_took_ms double precision,
  p_output jsonb,
  p_shows uuid,
  p_log log_batch,
  p_result engine_result
)
RETURNS void
LANGUAGE plpgsql AS $$
-- Nullable: p_shows, p_result.
BEGIN
  IF p_shows IS NOT NULL THEN
    UPDATE conversations SET seen_private = true
    WHERE id = p_shows AND account_id = p_account AND NOT seen_private;
  END IF;
  PERFORM append_run_log(p_log);
  INSERT INTO run_tool_results
    (run_id, tool_call_id, turn, name, succeeded, output, started_at)
  VALUES (p_run, p_tool_call_id, p_turn, p_name, p_succeeded, p_output,
    now() - make_interval(secs => p_took_ms / 1000));
  IF p_result.run IS NOT NULL THEN
    PERFORM engine_store_result(p_result);
  END IF;
END $$;
