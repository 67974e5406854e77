-- AlterTable
ALTER TABLE "run_tool_results" ADD COLUMN     "started_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "run_turns" ADD COLUMN     "first_token_ms" INTEGER,
ADD COLUMN     "reasoning_tokens" INTEGER,
ADD COLUMN     "request_id" TEXT,
ADD COLUMN     "started_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "run_spans" (
    "run_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "turn" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "output" JSONB,
    "error" JSONB,

    CONSTRAINT "run_spans_pkey" PRIMARY KEY ("run_id","id")
);


-- What a run's trace tells beside its rows. `p`: [{id, turn, kind, name, status, ago_ms: since it began, took_ms, attributes, output, error}] | null.
CREATE FUNCTION "store_run_spans"(p_run uuid, p jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO run_spans (run_id, id, turn, kind, name, status, started_at, ended_at, attributes, output, error)
  SELECT p_run, (s ->> 'id')::uuid, (s ->> 'turn')::int, s ->> 'kind', s ->> 'name', s ->> 'status',
    clock_timestamp() - make_interval(secs => (s ->> 'ago_ms')::float8 / 1000),
    clock_timestamp() - make_interval(secs => ((s ->> 'ago_ms')::float8 - (s ->> 'took_ms')::float8) / 1000),
    coalesce(s -> 'attributes', '{}'), s -> 'output', s -> 'error'
  FROM jsonb_array_elements(CASE WHEN jsonb_typeof(p) = 'array' THEN p ELSE '[]' END) s
  ON CONFLICT (run_id, id) DO NOTHING
$$;

-- One turn with what is told of its calls. `p`: {turn, message_id, model, content, finish_reason, agent_version_id,
--   call: {took_ms, first_token_ms, reasoning_tokens, request_id}, spans}; an older process gives neither `call` nor `spans`.
CREATE FUNCTION "store_run_turn"(p_run uuid, p jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_call jsonb := p -> 'call';
BEGIN
  INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason, agent_version_id, started_at, first_token_ms, reasoning_tokens, request_id)
  VALUES (p_run, (p ->> 'turn')::int, (p ->> 'message_id')::uuid, p ->> 'model', p -> 'content', p ->> 'finish_reason', (p ->> 'agent_version_id')::uuid,
    now() - make_interval(secs => (v_call ->> 'took_ms')::float8 / 1000), (v_call ->> 'first_token_ms')::int, (v_call ->> 'reasoning_tokens')::int,
    v_call ->> 'request_id');
  IF jsonb_array_length(coalesce(p -> 'spans', '[]')) > 0 THEN PERFORM store_run_spans(p_run, p -> 'spans'); END IF;
END $$;

-- As before, with `turn` as store_run_turn takes it.
CREATE OR REPLACE FUNCTION "store_turn"(p jsonb, p_lines text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_turn jsonb := p -> 'turn';
  v_paid bigint;
BEGIN
  IF v_turn <> 'null' THEN
    PERFORM store_run_turn((v_turn ->> 'run')::uuid, v_turn);
  END IF;
  PERFORM append_run_log(p -> 'log', p_lines);
  IF p -> 'fold' <> 'null' THEN PERFORM engine_fold(p -> 'fold'); END IF;
  v_paid := charge_call(p -> 'charge');
  IF v_paid <> (p ->> 'paid')::bigint THEN RAISE EXCEPTION 'the charge came out otherwise' USING ERRCODE = 'LT003', DETAIL = v_paid; END IF;
END $$;

-- As before, with `took_ms` in `result`.
CREATE OR REPLACE FUNCTION "store_tool_result"(p jsonb, p_lines text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v jsonb := p -> 'result';
BEGIN
  PERFORM append_run_log(p -> 'log', p_lines);
  INSERT INTO run_tool_results (run_id, tool_call_id, turn, name, succeeded, output, started_at)
  VALUES ((v ->> 'run')::uuid, v ->> 'tool_call_id', (v ->> 'turn')::int, v ->> 'name', (v ->> 'succeeded')::bool, v -> 'output',
    now() - make_interval(secs => (v ->> 'took_ms')::float8 / 1000));
  IF p -> 'fold' <> 'null' THEN PERFORM engine_fold(p -> 'fold'); END IF;
END $$;

-- As before, with `turn` as store_run_turn takes it.
CREATE OR REPLACE FUNCTION "complete_run"(p jsonb, p_lines text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_run uuid := (p ->> 'run')::uuid;
  v_conversation uuid := (p ->> 'conversation')::uuid;
  v_turn jsonb := p -> 'turn';
  v_paid bigint;
BEGIN
  UPDATE runs SET status = 'completed', result = p -> 'result', error = NULL, requires_action = NULL, completed_at = now(), started_at = coalesce(started_at, now())
  WHERE id = v_run AND status = 'running';
  IF NOT FOUND THEN RAISE EXCEPTION 'the run has ended' USING ERRCODE = 'LT004'; END IF;
  UPDATE conversations SET active_run_id = NULL, updated_at = now() WHERE id = v_conversation AND active_run_id = v_run;
  IF FOUND THEN
    INSERT INTO messages (id, conversation_id, run_id, role, text) VALUES ((p ->> 'message_id')::uuid, v_conversation, v_run, 'assistant', p -> 'result' ->> 'text')
    ON CONFLICT (run_id, role) DO NOTHING;
  END IF;
  UPDATE approvals SET status = 'expired', decided_at = now() WHERE run_id = v_run AND status = 'pending';
  IF v_turn <> 'null' THEN
    PERFORM store_run_turn(v_run, v_turn);
  END IF;
  PERFORM append_run_log(p -> 'log', p_lines);
  IF p -> 'fold' <> 'null' THEN PERFORM engine_fold(p -> 'fold'); END IF;
  IF v_turn <> 'null' THEN
    v_paid := charge_call(p -> 'charge');
    IF v_paid <> (p ->> 'paid')::bigint THEN RAISE EXCEPTION 'the charge came out otherwise' USING ERRCODE = 'LT003', DETAIL = v_paid; END IF;
  END IF;
  PERFORM release_hold(v_run);
END $$;
