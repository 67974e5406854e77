-- Ends a run: its status, its conversation's turn, what it asks a person for, and its answer in
-- the conversation. Gives the ended row; no row where the run had ended before. Log, charge and
-- hold are the caller's. Of two that try, one wins. Raises LT005 where it would be completed and
-- messages to it wait: it goes on with them. The next run of its conversation's queue begins.
CREATE OR REPLACE FUNCTION end_run(
  p_run uuid,
  p_account uuid,
  p_status text,
  p_result jsonb,
  p_error jsonb,
  p_agent uuid,
  p_message_id uuid
)
RETURNS TABLE (
  id uuid,
  account_id uuid,
  kind text,
  status text,
  agent_id uuid,
  conversation_id uuid,
  parent_run_id uuid,
  webhook_url text,
  should_notify boolean,
  result jsonb,
  error jsonb,
  model text,
  trace_parent text,
  created_at timestamptz,
  completed_at timestamptz
)
LANGUAGE plpgsql AS $$
-- Nullable: p_result, p_error, p_agent, agent_id, conversation_id, parent_run_id, webhook_url,
-- result, error, trace_parent.
#variable_conflict use_column
DECLARE
  v_run runs;
  v_held boolean;
BEGIN
  UPDATE runs SET
    status = p_status,
    result = p_result,
    error = p_error,
    agent_id = coalesce(p_agent, agent_id),
    requires_action = NULL,
    completed_at = now(),
    started_at = coalesce(started_at, CASE WHEN p_status <> 'cancelled' THEN now() END)
  WHERE id = p_run AND account_id = p_account AND status = ANY (run_statuses_before(p_status))
  RETURNING * INTO v_run;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- Whoever sends a message holds the run's row: what is not seen here is refused there.
  IF p_status = 'completed' AND EXISTS (
    SELECT 1 FROM run_messages m
    WHERE m.run_id = p_run AND m.account_id = p_account AND m.due = 'next_step'
      AND m.turn IS NULL)
  THEN
    RAISE EXCEPTION 'messages to the run wait' USING ERRCODE = 'LT005';
  END IF;
  -- Before the conversation: whoever has just taken it out of the queue has given it that.
  DELETE FROM queued_runs q WHERE q.run_id = p_run AND q.account_id = p_account;
  UPDATE conversations SET active_run_id = NULL, updated_at = now()
  WHERE id = v_run.conversation_id AND account_id = p_account AND active_run_id = p_run;
  v_held := FOUND;
  IF p_result IS NOT NULL THEN
    INSERT INTO messages (id, conversation_id, run_id, role, text)
    SELECT p_message_id, c.id, p_run, 'assistant', p_result ->> 'text'
    FROM conversations c WHERE c.id = v_run.conversation_id AND c.account_id = p_account
    ON CONFLICT (run_id, role) DO NOTHING;
  END IF;
  -- Behind the answer: that is where the next request stands.
  IF v_held THEN
    PERFORM begin_queued_run(v_run.conversation_id, p_account);
  END IF;
  UPDATE approvals SET status = 'expired', decided_at = now()
  WHERE run_id = p_run AND account_id = p_account AND status = 'pending';
  id := v_run.id;
  account_id := v_run.account_id;
  kind := v_run.kind;
  status := v_run.status;
  agent_id := v_run.agent_id;
  conversation_id := v_run.conversation_id;
  parent_run_id := v_run.parent_run_id;
  webhook_url := v_run.webhook_url;
  should_notify := v_run.should_notify;
  result := v_run.result;
  error := v_run.error;
  model := v_run.model;
  trace_parent := v_run.trace_parent;
  created_at := v_run.created_at;
  completed_at := v_run.completed_at;
  RETURN NEXT;
END $$;
