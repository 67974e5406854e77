-- AlterTable
ALTER TABLE "client_tool_calls" ADD COLUMN     "is_question" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "run_messages" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "due" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "turn" INTEGER,
    "tool_call_id" TEXT,
    "next_run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "queued_runs" (
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,

    CONSTRAINT "queued_runs_pkey" PRIMARY KEY ("run_id")
);

-- CreateIndex
CREATE INDEX "run_messages_account_id_idx" ON "run_messages"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "run_messages_run_id_position_key" ON "run_messages"("run_id", "position");

-- CreateIndex
CREATE INDEX "queued_runs_account_id_idx" ON "queued_runs"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "queued_runs_conversation_id_place_key" ON "queued_runs"("conversation_id", "place");

-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/begin_queued_run.sql
-- Begins the next run of a conversation's queue, where there is one. The caller holds the
-- conversation's row, and no run has it. What the run was asked stands in the conversation behind
-- the answers before it. Its event is stored, not routed: who drives the engine is told of it, and
-- finds it at its next beat where that word is lost.
CREATE OR REPLACE FUNCTION begin_queued_run(p_conversation uuid, p_account uuid)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_next uuid;
BEGIN
  LOOP
    SELECT q.run_id INTO v_next FROM queued_runs q
    WHERE q.conversation_id = p_conversation AND q.account_id = p_account
    ORDER BY q.place LIMIT 1;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    -- One that is being cancelled is waited for, and is not there then.
    DELETE FROM queued_runs q WHERE q.run_id = v_next AND q.account_id = p_account;
    EXIT WHEN FOUND;
  END LOOP;
  UPDATE conversations c SET active_run_id = v_next
  WHERE c.id = p_conversation AND c.account_id = p_account;
  UPDATE messages m SET position = DEFAULT FROM conversations c
  WHERE m.run_id = v_next AND c.id = m.conversation_id AND c.account_id = p_account;
  INSERT INTO engine_events (id, name, data)
  VALUES (v_next::text, 'run/accepted',
    json_build_object('run_id', v_next, 'account_id', p_account)::text);
  PERFORM pg_notify('engine_wake', 'stored');
END $$;

-- prisma/functions/end_run.sql
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
  RETURN QUERY SELECT v_run.id, v_run.account_id, v_run.kind, v_run.status, v_run.agent_id,
    v_run.conversation_id, v_run.parent_run_id, v_run.webhook_url, v_run.should_notify,
    v_run.result, v_run.error, v_run.model, v_run.trace_parent, v_run.created_at,
    v_run.completed_at;
END $$;

-- prisma/functions/receive_messages.sql
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

-- prisma/functions/record_run_event.sql
-- A run has ended, or begins to wait for somebody. What it waits for is told thin: which calls, and
-- not with what.
CREATE OR REPLACE FUNCTION record_run_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_data jsonb := jsonb_build_object('run_id', NEW.id, 'kind', NEW.kind, 'agent_id', NEW.agent_id,
    'conversation_id', NEW.conversation_id, 'status', NEW.status);
  v_wait jsonb := NEW.requires_action;
BEGIN
  IF NEW.completed_at IS NOT NULL THEN
    PERFORM record_event(NEW.account_id, 'run.' || NEW.status, v_data);
    RETURN NULL;
  END IF;
  IF v_wait ->> 'type' = 'client_tool' THEN
    v_wait := jsonb_build_object('type', 'client_tool', 'calls', (
      SELECT jsonb_agg(c.call - 'arguments' ORDER BY c.place)
      FROM jsonb_array_elements(v_wait -> 'calls') WITH ORDINALITY AS c(call, place)));
  ELSIF v_wait ->> 'type' = 'question' THEN
    v_wait := jsonb_build_object('type', 'question');
  END IF;
  PERFORM record_event(NEW.account_id, 'run.requires_action',
    v_data || jsonb_build_object('requires_action', v_wait));
  RETURN NULL;
END $$;

RESET check_function_bodies;
