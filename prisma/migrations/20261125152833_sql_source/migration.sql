-- contract: engine_bury(integer) has had no caller since the release before took engine_bury(integer, boolean).

-- CreateIndex
CREATE INDEX "engine_runs_heads" ON "engine_runs"("lane", "key", "turn", "since") WHERE (queued);

-- CreateIndex
CREATE INDEX "engine_runs_at_work_second" ON "engine_runs"("second_key") WHERE (owner IS NOT NULL AND second_key IS NOT NULL);

-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/types/call_charge.sql
-- One priced call of a model. Money is in millionths of a credit. `max`: the run's own limit,
-- null without one; `root`: the super-agent's run whose limit holds for all that it started;
-- `keep`: what the run goes on holding, at most.
CREATE TYPE call_charge AS (
  run uuid,
  account uuid,
  max bigint,
  root uuid,
  agent uuid,
  step_key text,
  model text,
  capability text,
  input_tokens integer,
  output_tokens integer,
  cached_input_tokens integer,
  units integer,
  price bigint,
  keep bigint,
  ledger_id uuid
);
COMMENT ON TYPE call_charge IS 'nullable: max, root, agent';

-- prisma/types/engine_cancel.sql
-- An event that cancels a run which is being started.
CREATE TYPE engine_cancel AS (
  run uuid,
  step_id text,
  event text,
  match_value text,
  conditions text
);
COMMENT ON TYPE engine_cancel IS 'nullable: match_value';

-- prisma/types/engine_result.sql
-- The result of a step of the engine's run, or without a step that run's end. `attempt` and
-- `owner` are the fence. `step_data` is JSON text: it may hold what `jsonb` refuses.
CREATE TYPE engine_result AS (
  run uuid,
  attempt integer,
  owner integer,
  step_id text,
  step_name text,
  step_data text
);
COMMENT ON TYPE engine_result IS 'nullable: step_id, step_name, step_data';

-- prisma/types/engine_start.sql
-- A run of the engine that an event starts. `key` and `second_key`: what it counts under while it
-- works.
CREATE TYPE engine_start AS (
  id uuid,
  function_id text,
  lane text,
  key text,
  second_key text
);
COMMENT ON TYPE engine_start IS 'nullable: second_key';

-- prisma/types/function_limit.sql
-- How many runs of a function may be at work at once, by the first of its keys and by the second.
CREATE TYPE function_limit AS (
  function_id text,
  first integer,
  second integer
);
COMMENT ON TYPE function_limit IS 'nullable: first, second';

-- prisma/types/log_batch.sql
-- Lines that are to stand behind a run's log, and what they make true of it. `writer` and `first`
-- are the fence: they fit only while nobody else has written. `message`: the message that was
-- begun last; `is_whole`: none stands open any more. Without `lines` the fence alone is looked
-- at.
CREATE TYPE log_batch AS (
  run uuid,
  writer integer,
  first integer,
  last integer,
  closes boolean,
  message uuid,
  is_whole boolean,
  todo jsonb,
  lines text
);
COMMENT ON TYPE log_batch IS 'nullable: message, todo, lines';

-- prisma/types/model_turn.sql
-- One turn of a run with what is told of the call that answered.
CREATE TYPE model_turn AS (
  run uuid,
  turn integer,
  message_id uuid,
  model text,
  content jsonb,
  finish_reason text,
  agent_version_id uuid,
  took_ms double precision,
  first_token_ms integer,
  reasoning_tokens integer,
  request_id text
);
COMMENT ON TYPE model_turn IS
  'nullable: agent_version_id, took_ms, first_token_ms, reasoning_tokens, request_id';

-- prisma/types/span_part.sql
-- A part of a run that no other row tells of, for its trace. `ago_ms`: how long ago it began.
CREATE TYPE span_part AS (
  id uuid,
  turn integer,
  kind text,
  name text,
  status text,
  ago_ms double precision,
  took_ms double precision,
  attributes jsonb,
  output jsonb,
  error jsonb
);
COMMENT ON TYPE span_part IS 'nullable: output, error';

-- prisma/functions/previous/accept_run.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `accept_run` with typed arguments. `p_body`: the answer that is kept,
-- with @created_at@ where that belongs, by JSON.
CREATE OR REPLACE FUNCTION accept_run(
  p jsonb,
  p_input jsonb,
  p_text text,
  p_line text,
  p_body text
)
RETURNS jsonb
LANGUAGE sql AS $$
  SELECT CASE WHEN a.replay_status IS NOT NULL
    THEN jsonb_build_object('replay',
      jsonb_build_object('status', a.replay_status, 'body', a.replay_body))
    ELSE jsonb_build_object('created_ms', (extract(epoch FROM a.created_at) * 1000)::bigint,
      'routed', CASE WHEN a.lanes IS NOT NULL THEN routed_of(a.lanes, a.woken, a.owners) END)
    END
  FROM accept_run((p ->> 'run')::uuid, (p ->> 'account')::uuid, p ->> 'kind',
    (p ->> 'agent')::uuid, (p ->> 'conversation')::uuid, p ->> 'family', (p ->> 'is_new')::bool,
    (p ->> 'workspace')::uuid, (p ->> 'schedule')::uuid, p_input, p_text, p ->> 'model',
    p -> 'metadata', (p ->> 'max_credits')::bigint, p ->> 'webhook_url',
    (p ->> 'should_notify')::bool, p ->> 'release_note', p ->> 'origin',
    (p ->> 'parent_run')::uuid, p ->> 'parent_call', p ->> 'trace_parent',
    (p ->> 'message_id')::uuid, p_line, (p ->> 'estimate')::bigint, (p ->> 'limit')::bigint,
    (p ->> 'blocked')::bool, (p ->> 'writes')::int, (p ->> 'agents_cap')::int,
    (p ->> 'conversations_cap')::int, p -> 'idempotency' ->> 'route',
    p -> 'idempotency' ->> 'key', p -> 'idempotency' ->> 'hash',
    (p -> 'idempotency' ->> 'hours')::int, (p -> 'idempotency' ->> 'status')::int,
    string_to_array(p_body, '@created_at@'), jsonb_typeof(p -> 'event') = 'object',
    jsonb_typeof(p -> 'event' -> 'starts') = 'array',
    ARRAY(SELECT jsonb_array_elements_text(CASE WHEN jsonb_typeof(p -> 'event' -> 'match') = 'array'
      THEN p -> 'event' -> 'match' ELSE '[]' END)),
    starts_of((p -> 'event' -> 'starts')::json), cancels_of((p -> 'event' -> 'starts')::json)) a
$$;

-- prisma/functions/previous/append_run_log.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `append_run_log(log_batch)`, by JSON.
CREATE OR REPLACE FUNCTION append_run_log(p jsonb, p_lines text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM append_run_log(log_of(p, p_lines));
END $$;

-- prisma/functions/previous/begin_turn.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `begin_model_turn`, by JSON.
CREATE OR REPLACE FUNCTION begin_turn(p jsonb)
RETURNS jsonb
LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', t.status, 'writer', t.writer, 'next', t.next,
    'open_message', t.open_message, 'spent', t.spent::text, 'covered', t.covered::text,
    'room', t.room::text, 'holds', coalesce(t.holds, false))
  FROM begin_model_turn((p ->> 'run')::uuid, (p ->> 'account')::uuid,
    (p ->> 'process')::int, (p ->> 'writer')::int, (p -> 'cover' ->> 'max')::bigint,
    (p -> 'cover' ->> 'root')::uuid, (p -> 'cover' ->> 'least')::bigint,
    (p -> 'cover' ->> 'most')::bigint) t
$$;

-- prisma/functions/previous/cancels_of.sql
-- What cancels those runs: [{id, cancels: [{step_id, event, match_value, conditions}]}]. The next
-- release drops it.
CREATE OR REPLACE FUNCTION cancels_of(p_starts json)
RETURNS engine_cancel[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT ROW(s.id, c.step_id, c.event, c.match_value, c.conditions)::engine_cancel
    FROM json_to_recordset(CASE WHEN json_typeof(p_starts) = 'array' THEN p_starts ELSE '[]' END)
        AS s(id uuid, cancels json),
      json_to_recordset(s.cancels)
        AS c(step_id text, event text, match_value text, conditions text))
$$;

-- prisma/functions/previous/charge_call.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `charge_call(call_charge)`, by JSON.
CREATE OR REPLACE FUNCTION charge_call(p jsonb)
RETURNS bigint
LANGUAGE sql AS $$
  SELECT charge_call(charge_of(p))
$$;

-- prisma/functions/previous/charge_of.sql
-- A charge as the release before writes it. The next release drops it.
CREATE OR REPLACE FUNCTION charge_of(p jsonb)
RETURNS call_charge
LANGUAGE sql STABLE AS $$
  SELECT jsonb_populate_record(NULL::call_charge,
    CASE WHEN jsonb_typeof(p) = 'object' THEN p ELSE '{}' END)
$$;

-- prisma/functions/previous/complete_run.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `complete_run` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION complete_run(p jsonb, p_lines text)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_run uuid := (p ->> 'run')::uuid;
  v_account uuid;
BEGIN
  SELECT account_id INTO v_account FROM runs WHERE id = v_run;
  PERFORM complete_run(v_run, v_account, p -> 'result', (p ->> 'message_id')::uuid,
    turn_of(v_run, p -> 'turn'), spans_of(p -> 'turn' -> 'spans'), charge_of(p -> 'charge'),
    (p ->> 'paid')::bigint, log_of(p -> 'log', p_lines), result_of(p -> 'fold'));
END $$;

-- prisma/functions/previous/cover_call.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `cover_model_call`, by JSON.
CREATE OR REPLACE FUNCTION cover_call(
  p_run uuid,
  p_account uuid,
  p_max bigint,
  p_root uuid,
  p_least bigint,
  p_most bigint
)
RETURNS jsonb
LANGUAGE sql AS $$
  SELECT jsonb_build_object('covered', c.covered::text, 'room', c.room::text)
  FROM cover_model_call(p_run, p_account, p_max, p_root, p_least, p_most) c
$$;

-- prisma/functions/previous/engine_claim.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `engine_claim` with typed limits, by JSON.
CREATE OR REPLACE FUNCTION engine_claim(
  p_lane text,
  p_owner integer,
  p_free integer,
  p_limits jsonb
)
RETURNS json
LANGUAGE sql AS $$
  SELECT json_build_object(
    'runs', coalesce(json_agg(json_build_object('id', c.id, 'function_id', c.function_id,
      'attempt', c.attempt, 'wakes', c.wakes, 'failures', c.failures, 'takeovers', c.takeovers,
      'event', json_build_object('id', c.event_id, 'name', c.event_name, 'data', c.event_data,
        'ts', c.event_ms))) FILTER (WHERE c.id IS NOT NULL), '[]'),
    'waiting', bool_or(c.waiting))
  FROM engine_claim(p_lane, p_owner, p_free, ARRAY(
    SELECT ROW(l.key, (l.value ->> 0)::int, (l.value ->> 1)::int)::function_limit
    FROM jsonb_each(p_limits) l)) c
$$;

-- prisma/functions/previous/engine_fold.sql
-- Of the release before, within whose functions it may be at work while this one is rolled out; the
-- next release drops it.
CREATE OR REPLACE FUNCTION engine_fold(p jsonb)
RETURNS void
LANGUAGE sql AS $$
  SELECT engine_store_result(result_of(p))
$$;

-- prisma/functions/previous/engine_route.sql
-- Of the release before, within whose functions it may be at work while this one is rolled out; the
-- next release drops it.
CREATE OR REPLACE FUNCTION engine_route(
  p_id text,
  p_event json,
  p_match text[],
  p_received timestamptz,
  p_starts json
)
RETURNS json
LANGUAGE sql AS $$
  SELECT routed_of(r.lanes, r.woken, r.owners) FROM engine_route(p_id, p_event, p_match,
    p_received, starts_of(p_starts), cancels_of(p_starts)) r
$$;

-- prisma/functions/previous/engine_route_stored.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `engine_route_stored` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION engine_route_stored(p_id text, p_starts json)
RETURNS json
LANGUAGE sql AS $$
  SELECT CASE WHEN s.lanes IS NOT NULL THEN routed_of(s.lanes, s.woken, s.owners) END
  FROM engine_route_stored(p_id, starts_of(p_starts), cancels_of(p_starts)) s
$$;

-- prisma/functions/previous/engine_send.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `engine_send` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION engine_send(
  p_id text,
  p_name text,
  p_data text,
  p_function text,
  p_match text[],
  p_starts json
)
RETURNS json
LANGUAGE sql AS $$
  SELECT CASE WHEN s.lanes IS NOT NULL THEN routed_of(s.lanes, s.woken, s.owners) END
  FROM engine_send(p_id, p_name, p_data,
    p_function, p_match, p_starts IS NOT NULL, starts_of(p_starts), cancels_of(p_starts)) s
$$;

-- prisma/functions/previous/log_of.sql
-- A batch of lines as the release before writes it: {run, writer, first, last, closes, message,
-- todo}. `message` null where no message stands open any more. The next release drops it.
CREATE OR REPLACE FUNCTION log_of(p jsonb, p_lines text)
RETURNS log_batch
LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW((p ->> 'run')::uuid, (p ->> 'writer')::int, (p ->> 'first')::int,
    (p ->> 'last')::int, (p ->> 'closes')::bool, (p ->> 'message')::uuid,
    p ? 'message' AND p ->> 'message' IS NULL, p -> 'todo', p_lines)::log_batch
$$;

-- prisma/functions/previous/result_of.sql
-- A result of the engine as the release before writes it: {run, attempt, owner, step?: {id, name,
-- data}}. The next release drops it.
CREATE OR REPLACE FUNCTION result_of(p jsonb)
RETURNS engine_result
LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW((p ->> 'run')::uuid, (p ->> 'attempt')::int, (p ->> 'owner')::int,
    p -> 'step' ->> 'id', p -> 'step' ->> 'name', p -> 'step' ->> 'data')::engine_result
$$;

-- prisma/functions/previous/routed_of.sql
-- What an event has set going as the release before reads it. The next release drops it.
CREATE OR REPLACE FUNCTION routed_of(p_lanes text[], p_woken uuid[], p_owners integer[])
RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT json_build_object('lanes', to_json(p_lanes), 'woken', (
    SELECT coalesce(json_agg(json_build_object('id', w.id, 'owner', nullif(w.owner, -1))), '[]')
    FROM unnest(p_woken, p_owners) AS w(id, owner)))
$$;

-- prisma/functions/previous/spans_of.sql
-- Parts of a trace as the release before writes them. The next release drops it.
CREATE OR REPLACE FUNCTION spans_of(p jsonb)
RETURNS span_part[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT s FROM jsonb_populate_recordset(NULL::span_part,
    CASE WHEN jsonb_typeof(p) = 'array' THEN p ELSE '[]' END) s)
$$;

-- prisma/functions/previous/starts_of.sql
-- Runs that an event starts as the release before writes them: [{id, function_id, lane, key,
-- second_key, cancels}]. The next release drops it.
CREATE OR REPLACE FUNCTION starts_of(p_starts json)
RETURNS engine_start[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT s FROM json_populate_recordset(NULL::engine_start,
    CASE WHEN json_typeof(p_starts) = 'array' THEN p_starts ELSE '[]' END) s)
$$;

-- prisma/functions/previous/store_private_result.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `store_tool_result` with typed arguments, of a result that is private, by
-- JSON.
CREATE OR REPLACE FUNCTION store_private_result(p jsonb, p_lines text, p_conversation uuid)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_tool_result((s ->> 'run')::uuid, r.account_id, s ->> 'tool_call_id',
    (s ->> 'turn')::int, s ->> 'name', (s ->> 'succeeded')::bool, (s ->> 'took_ms')::float8,
    s -> 'output', p_conversation, log_of(p -> 'log', p_lines), result_of(p -> 'fold'))
  FROM (SELECT p -> 'result') AS given(s) LEFT JOIN runs r ON r.id = (s ->> 'run')::uuid
$$;

-- prisma/functions/previous/store_run_spans.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `store_run_spans(uuid, span_part[])`, by JSON.
CREATE OR REPLACE FUNCTION store_run_spans(p_run uuid, p jsonb)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_run_spans(p_run, spans_of(p))
$$;

-- prisma/functions/previous/store_run_turn.sql
-- Of the release before, within whose functions it may be at work while this one is rolled out; the
-- next release drops it.
CREATE OR REPLACE FUNCTION store_run_turn(p_run uuid, p jsonb)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_model_turn(turn_of(p_run, p), spans_of(p -> 'spans'))
$$;

-- prisma/functions/previous/store_tool_result.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `store_tool_result` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION store_tool_result(p jsonb, p_lines text)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_private_result(p, p_lines, NULL)
$$;

-- prisma/functions/previous/store_turn.sql
-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `store_turn` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION store_turn(p jsonb, p_lines text)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_turn(turn_of((p -> 'turn' ->> 'run')::uuid, p -> 'turn'),
    spans_of(p -> 'turn' -> 'spans'), charge_of(p -> 'charge'), (p ->> 'paid')::bigint,
    log_of(p -> 'log', p_lines), result_of(p -> 'fold'))
$$;

-- prisma/functions/previous/turn_of.sql
-- A turn as the release before writes it: {turn, message_id, model, content, finish_reason,
-- agent_version_id, call: {took_ms, first_token_ms, reasoning_tokens, request_id}, spans}. The
-- next release drops it.
CREATE OR REPLACE FUNCTION turn_of(p_run uuid, p jsonb)
RETURNS model_turn
LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(CASE WHEN jsonb_typeof(p) = 'object' THEN p_run END, (p ->> 'turn')::int,
    (p ->> 'message_id')::uuid, p ->> 'model', p -> 'content', p ->> 'finish_reason',
    (p ->> 'agent_version_id')::uuid, (p -> 'call' ->> 'took_ms')::float8,
    (p -> 'call' ->> 'first_token_ms')::int, (p -> 'call' ->> 'reasoning_tokens')::int,
    p -> 'call' ->> 'request_id')::model_turn
$$;

-- prisma/functions/accept_run.sql
-- Accepts a run: idempotent replay, limits, the run, its log, its conversation, its place in the
-- engine and its credits, or nothing of it. What it refuses it raises as LR001: the message is
-- the code, the detail JSON. The account's row comes last, so that others of the account wait for
-- the commit alone. Money is in millionths of a credit.
--
-- `p_limit`: the least of what the run may cost in all. `p_writes`: how many writes an hour it
-- counts against. `p_agents_cap`: set where it is to build an agent. `p_is_new`: the conversation
-- begins with it. `p_answer`: the answer that is kept for its key, in the pieces between which
-- the time of its acceptance stands. `p_sends`: the engine hears of it by the same statement;
-- `p_routes`: and starts what stands in `p_starts`, which the sender drives itself.
--
-- Gives the time of the acceptance and what the engine has set going, or the answer that was kept
-- of an earlier request with the same key (`replay_status` is set then).
CREATE OR REPLACE FUNCTION accept_run(
  p_run uuid,
  p_account uuid,
  p_kind text,
  p_agent uuid,
  p_conversation uuid,
  p_family text,
  p_is_new boolean,
  p_workspace uuid,
  p_schedule uuid,
  p_input jsonb,
  p_text text,
  p_model text,
  p_metadata jsonb,
  p_max_credits bigint,
  p_webhook_url text,
  p_should_notify boolean,
  p_release_note text,
  p_origin text,
  p_parent_run uuid,
  p_parent_call text,
  p_trace_parent text,
  p_message_id uuid,
  p_line text,
  p_estimate bigint,
  p_limit bigint,
  p_blocked boolean,
  p_writes integer,
  p_agents_cap integer,
  p_conversations_cap integer,
  p_route text,
  p_key text,
  p_key_hash text,
  p_key_hours integer,
  p_answer_status integer,
  p_answer text[],
  p_sends boolean,
  p_routes boolean,
  p_match_values text[],
  p_starts engine_start[],
  p_cancels engine_cancel[]
)
RETURNS TABLE (
  created_at timestamptz,
  lanes text[],
  woken uuid[],
  owners integer[],
  replay_status integer,
  replay_body text
)
LANGUAGE plpgsql AS $$
-- Nullable: p_agent, p_workspace, p_schedule, p_max_credits, p_webhook_url, p_release_note,
-- p_parent_run, p_parent_call, p_trace_parent, p_limit, p_writes, p_agents_cap, p_route, p_key,
-- p_key_hash, p_answer_status, p_answer, created_at, lanes, woken, owners, replay_status,
-- replay_body.
#variable_conflict use_column
DECLARE
  -- As columns of this precision keep it, so that the answer says what a later reading says.
  v_now timestamptz(3) := now();
  v_first record;
  v_rows record;
  v_routed record;
  v_available bigint;
BEGIN
  IF p_key IS NOT NULL THEN
    IF NOT pg_try_advisory_xact_lock(
      hashtextextended(p_account || ' ' || p_route || ' ' || p_key, 7))
    THEN
      RAISE EXCEPTION 'IDEMPOTENCY_CONFLICT'
        USING ERRCODE = 'LR001', DETAIL = '{"in_flight": true}';
    END IF;
    SELECT k.request_hash, k.status, k.body INTO v_first FROM idempotency_keys k
    WHERE k.account_id = p_account AND k.route = p_route AND k.key = p_key
      AND k.created_at > now() - make_interval(hours => p_key_hours);
    IF FOUND THEN
      IF v_first.request_hash <> p_key_hash THEN
        RAISE EXCEPTION 'IDEMPOTENCY_CONFLICT' USING ERRCODE = 'LR001', DETAIL = '{}';
      END IF;
      RETURN QUERY SELECT NULL::timestamptz, NULL::text[], NULL::uuid[], NULL::integer[],
        v_first.status::integer, v_first.body::text;
      RETURN;
    END IF;
  END IF;
  IF p_blocked THEN
    RAISE EXCEPTION 'ACCOUNT_BLOCKED' USING ERRCODE = 'LR001', DETAIL = '{}';
  END IF;
  IF p_writes IS NOT NULL THEN
    SELECT w.count, w.retry_seconds INTO v_rows FROM take_hourly_write(p_account) w;
    IF v_rows.count > p_writes THEN
      RAISE EXCEPTION 'RATE_LIMITED' USING ERRCODE = 'LR001',
        DETAIL = jsonb_build_object('limit', p_writes, 'seconds', v_rows.retry_seconds);
    END IF;
  END IF;
  IF p_agents_cap IS NOT NULL THEN
    SELECT r.count, r.cap INTO v_rows FROM counted_rows(p_account, 'agents', p_agents_cap) r;
    IF v_rows.count >= v_rows.cap THEN
      RAISE EXCEPTION 'CONFLICT' USING ERRCODE = 'LR001',
        DETAIL = jsonb_build_object('rows', 'agents', 'cap', v_rows.cap);
    END IF;
  END IF;
  IF p_limit < p_estimate THEN
    SELECT available_micros INTO v_available FROM accounts WHERE id = p_account;
    RAISE EXCEPTION 'INSUFFICIENT_CREDITS' USING ERRCODE = 'LR001',
      DETAIL = jsonb_build_object('available', v_available, 'limit', p_limit);
  END IF;

  IF NOT p_is_new THEN
    UPDATE conversations SET active_run_id = p_run, updated_at = now()
    WHERE id = p_conversation AND account_id = p_account AND family = p_family
      AND active_run_id IS NULL;
    IF NOT FOUND THEN
      SELECT c.active_run_id INTO v_first FROM conversations c
      WHERE c.id = p_conversation AND c.account_id = p_account AND c.family = p_family;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'CONVERSATION_NOT_FOUND' USING ERRCODE = 'LR001', DETAIL = '{}';
      END IF;
      RAISE EXCEPTION 'CONVERSATION_BUSY' USING ERRCODE = 'LR001',
        DETAIL = jsonb_build_object('run_id', v_first.active_run_id);
    END IF;
  END IF;
  INSERT INTO runs (id, account_id, kind, status, agent_id, conversation_id, workspace_id,
    schedule_id, input, model, metadata, max_credits_micros, webhook_url, should_notify,
    release_note, origin, parent_run_id, parent_call_id, trace_parent, created_at)
  VALUES (p_run, p_account, p_kind, 'pending', p_agent, p_conversation, p_workspace,
    p_schedule, p_input, p_model, p_metadata, p_max_credits, p_webhook_url, p_should_notify,
    p_release_note, p_origin, p_parent_run, p_parent_call, p_trace_parent, v_now);
  INSERT INTO run_logs (run_id, next_sequence) VALUES (p_run, 1);
  INSERT INTO run_events (run_id, first_sequence, last_sequence, lines)
  VALUES (p_run, 0, 0, p_line);
  IF p_sends THEN
    SELECT s.lanes, s.woken, s.owners INTO v_routed FROM engine_send(
      p_run::text, 'run/accepted',
      json_build_object('run_id', p_run, 'account_id', p_account)::text, NULL,
      p_match_values, p_routes, p_starts, p_cancels) s;
  ELSE
    SELECT NULL::text[] AS lanes, NULL::uuid[] AS woken, NULL::integer[] AS owners INTO v_routed;
  END IF;
  IF p_key IS NOT NULL THEN
    INSERT INTO idempotency_keys
      (account_id, route, key, request_hash, status, body, accepted_run)
    VALUES (p_account, p_route, p_key, p_key_hash, p_answer_status, array_to_string(p_answer,
      to_char(v_now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), p_run)
    ON CONFLICT (account_id, route, key) DO UPDATE SET request_hash = excluded.request_hash,
      status = excluded.status, body = excluded.body, accepted_run = excluded.accepted_run,
      created_at = now();
  END IF;
  IF p_is_new THEN
    INSERT INTO conversations (id, account_id, family, active_run_id, updated_at)
    VALUES (p_conversation, p_account, p_family, p_run, now());
    SELECT r.count, r.cap INTO v_rows
    FROM counted_rows(p_account, 'conversations', p_conversations_cap) r;
    IF v_rows.count > v_rows.cap THEN
      RAISE EXCEPTION 'CONFLICT' USING ERRCODE = 'LR001',
        DETAIL = jsonb_build_object('rows', 'conversations', 'cap', v_rows.cap);
    END IF;
  END IF;
  INSERT INTO messages (id, conversation_id, run_id, role, text)
  VALUES (p_message_id, p_conversation, p_run, 'user', p_text);
  UPDATE accounts SET available_micros = available_micros - p_estimate
  WHERE id = p_account AND available_micros >= p_estimate;
  IF NOT FOUND THEN
    SELECT available_micros INTO v_available FROM accounts WHERE id = p_account;
    RAISE EXCEPTION 'INSUFFICIENT_CREDITS' USING ERRCODE = 'LR001',
      DETAIL = jsonb_build_object('available', v_available, 'limit', NULL);
  END IF;
  INSERT INTO credit_holds (run_id, account_id, amount_micros)
  VALUES (p_run, p_account, p_estimate);
  RETURN QUERY SELECT v_now::timestamptz, v_routed.lanes::text[], v_routed.woken::uuid[],
    v_routed.owners::integer[], NULL::integer, NULL::text;
END $$;

-- prisma/functions/account_runs_at_work.sql
-- What the operator has set for an account's runs at work, or follows from nobody vouching for it,
-- is a limit of the engine: the key is that of lib/jobs/execute-run.ts.
CREATE OR REPLACE FUNCTION account_runs_at_work()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_most int;
BEGIN
  IF TG_OP <> 'DELETE' THEN
    v_most := coalesce(NEW.runs_at_work, CASE WHEN NOT NEW.vouched THEN 2 END);
  END IF;
  IF v_most IS NULL THEN
    DELETE FROM engine_limits WHERE key = 'lathe-execute-run:0:"' || OLD.id || '"';
  ELSE
    INSERT INTO engine_limits (key, most)
    VALUES ('lathe-execute-run:0:"' || NEW.id || '"', v_most)
    ON CONFLICT (key) DO UPDATE SET most = excluded.most;
  END IF;
  RETURN NULL;
END $$;

-- prisma/functions/append_run_log.sql
-- Appends one batch to a run's log, or raises LT002: the log has another writer, or its last line.
CREATE OR REPLACE FUNCTION append_run_log(p_log log_batch)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM append_run_logs(ARRAY[p_log]);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the log has another writer' USING ERRCODE = 'LT002';
  END IF;
END $$;

-- prisma/functions/append_run_logs.sql
-- Appends batches to the logs of runs, each where its fence fits. Gives the places, from 1, of
-- those that were stored. The one place where a log moves on.
CREATE OR REPLACE FUNCTION append_run_logs(p_batches log_batch[])
RETURNS TABLE (place integer)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
  WITH moved AS (
    UPDATE run_logs log SET
      next_sequence = batch.last + 1,
      closed_at = CASE WHEN batch.closes THEN now() END,
      owner = CASE WHEN batch.closes THEN NULL ELSE log.owner END,
      open_message_id = CASE WHEN batch.is_whole THEN NULL
        ELSE coalesce(batch.message, log.open_message_id) END,
      todo = coalesce(batch.todo, log.todo)
    FROM unnest(p_batches) WITH ORDINALITY AS batch
      (run, writer, first, last, closes, message, is_whole, todo, lines, nth)
    WHERE log.run_id = batch.run AND log.writer = batch.writer
      AND log.next_sequence = batch.first AND log.closed_at IS NULL
    RETURNING batch.run, batch.first, batch.last, batch.lines, batch.nth
  ), stored AS (
    INSERT INTO run_events (run_id, first_sequence, last_sequence, lines)
    SELECT moved.run, moved.first, moved.last, moved.lines FROM moved
    WHERE moved.lines IS NOT NULL
  )
  SELECT moved.nth::integer FROM moved;
END $$;

-- prisma/functions/audit_events_only_grow.sql
-- The log only grows: a row is never changed, and removed only where retention or the deletion of
-- its account says so for its own transaction (lib/domain/audit/remove-audit-events.ts). Its
-- triggers fire ALWAYS: a session that plays replica is refused too.
CREATE OR REPLACE FUNCTION audit_events_only_grow()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('lathe.audit_removal', true) = 'allowed' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'audit_events only grows: % is refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;

-- prisma/functions/begin_conversation_private.sql
-- A new conversation stands behind its first run: it has seen what is private where that begins
-- with it.
CREATE OR REPLACE FUNCTION begin_conversation_private()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.seen_private := NEW.seen_private OR EXISTS (
    SELECT 1 FROM runs r
    WHERE r.id = NEW.active_run_id AND r.account_id = NEW.account_id AND begins_private(r));
  RETURN NEW;
END $$;

-- prisma/functions/begin_model_turn.sql
-- Begins a turn: takes the log (`p_writer` null) or proves that it is still the caller's, moves a
-- pending run to work, and covers the first call (`cover_model_call`). `status` is `closed` where
-- the log has had its last line. Raises LT002 when the log has another writer.
CREATE OR REPLACE FUNCTION begin_model_turn(
  p_run uuid,
  p_account uuid,
  p_process integer,
  p_writer integer,
  p_max bigint,
  p_root uuid,
  p_least bigint,
  p_most bigint
)
RETURNS TABLE (
  status text,
  writer integer,
  next integer,
  open_message uuid,
  spent bigint,
  holds boolean,
  covered bigint,
  room bigint
)
LANGUAGE plpgsql AS $$
-- Nullable: p_process, p_writer, p_max, p_root, writer, next, open_message, spent, holds, covered,
-- room.
BEGIN
  -- What is lost with the server is done again by whoever takes the run up.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE runs r SET status = 'running', started_at = now()
  WHERE r.id = p_run AND r.account_id = p_account
    AND r.status = ANY (run_statuses_before('running'));
  SELECT r.status INTO status
  FROM runs r WHERE r.id = p_run AND r.account_id = p_account FOR SHARE;
  IF p_writer IS NULL THEN
    SELECT t.writer, t.next, t.open_message INTO writer, next, open_message
    FROM take_log(p_run, p_process, false, 0) t;
    IF NOT FOUND THEN
      status := 'closed';
      RETURN NEXT;
      RETURN;
    END IF;
  ELSE
    SELECT l.writer, l.next_sequence, l.open_message_id INTO writer, next, open_message
    FROM run_logs l
    WHERE l.run_id = p_run AND l.writer = p_writer AND l.closed_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the log has another writer' USING ERRCODE = 'LT002';
    END IF;
  END IF;
  holds := false;
  IF status = 'running' THEN
    SELECT c.covered, c.room INTO covered, room
    FROM cover_model_call(p_run, p_account, p_max, p_root, p_least, p_most) c;
    holds := FOUND;
  END IF;
  SELECT coalesce(sum(u.credits_micros), 0) INTO spent
  FROM run_usage u WHERE u.run_id = p_run AND u.account_id = p_account;
  RETURN NEXT;
END $$;

-- prisma/functions/begins_private.sql
-- Whether a run begins with something private in its hands: a workspace, an end user's input, its
-- agent's notes, or what the run that started it, or that it repeats, has seen. A build is told
-- what to do by that run and shown nothing else of it, so that it begins without.
CREATE OR REPLACE FUNCTION begins_private(r runs)
RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF r.kind IN ('agent_creation', 'agent_edit') THEN
    RETURN false;
  END IF;
  RETURN r.workspace_id IS NOT NULL OR r.kind = 'app'
    OR EXISTS (
      SELECT 1 FROM agents a
      WHERE a.id = r.agent_id AND a.account_id = r.account_id
        AND a.config #> '{tools,memory}' = 'true')
    OR EXISTS (
      SELECT 1 FROM runs o
        JOIN conversations c ON c.id = o.conversation_id AND c.account_id = o.account_id
      WHERE o.id IN (r.parent_run_id, r.replayed_from, r.history_of)
        AND o.account_id = r.account_id AND c.seen_private);
END $$;

-- prisma/functions/charge_as_said.sql
-- `charge_call`, whose lines say already what was paid. Raises LT003 with the true amount as its
-- detail where that comes out otherwise: what can be paid changes while other runs of the account
-- pay.
CREATE OR REPLACE FUNCTION charge_as_said(p_charge call_charge, p_paid bigint)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_paid bigint := charge_call(p_charge);
BEGIN
  IF v_paid <> p_paid THEN
    RAISE EXCEPTION 'the charge came out otherwise' USING ERRCODE = 'LT003', DETAIL = v_paid;
  END IF;
END $$;

-- prisma/functions/charge_call.sql
-- Settles one model call: usage, ledger, hold and wallet together, so that they always agree.
-- What neither the wallet nor the run's limit covers is not charged: it is the operator's loss,
-- to be seen by the row's price. What the hold has left beyond `keep` goes back to the wallet.
-- Does nothing for a call that is settled already, nor for a run that holds nothing any more.
-- Gives what was paid, in millionths of a credit.
CREATE OR REPLACE FUNCTION charge_call(p_charge call_charge)
RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_held bigint;
  v_paid bigint;
  v_kept bigint;
  v_available bigint;
  v_room bigint;
BEGIN
  SELECT credits_micros INTO v_paid
  FROM run_usage
  WHERE run_id = p_charge.run AND account_id = p_charge.account AND step_key = p_charge.step_key;
  IF FOUND THEN
    RETURN v_paid;
  END IF;
  IF p_charge.root IS NOT NULL THEN
    PERFORM 1 FROM runs
    WHERE id = p_charge.root AND account_id = p_charge.account AND max_credits_micros IS NOT NULL
    FOR NO KEY UPDATE;
  END IF;
  SELECT amount_micros INTO v_held FROM credit_holds
  WHERE run_id = p_charge.run AND account_id = p_charge.account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  v_room := run_room(p_charge.run, p_charge.account, p_charge.max, p_charge.root);
  SELECT available_micros INTO v_available
  FROM accounts WHERE id = p_charge.account FOR NO KEY UPDATE;
  v_paid := greatest(0, least(p_charge.price, v_room, v_held + v_available));
  v_kept := least(greatest(0, v_held - v_paid), p_charge.keep);
  UPDATE credit_holds SET amount_micros = v_kept
  WHERE run_id = p_charge.run AND account_id = p_charge.account;
  UPDATE accounts SET available_micros = available_micros + v_held - v_paid - v_kept
  WHERE id = p_charge.account;
  INSERT INTO run_usage (run_id, step_key, account_id, agent_id, model, capability, input_tokens,
    output_tokens, cached_input_tokens, units, credits_micros, price_micros)
  VALUES (p_charge.run, p_charge.step_key, p_charge.account, p_charge.agent, p_charge.model,
    p_charge.capability, p_charge.input_tokens, p_charge.output_tokens,
    p_charge.cached_input_tokens, p_charge.units, v_paid, p_charge.price);
  INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros)
  VALUES (p_charge.ledger_id, p_charge.account, p_charge.run, 'usage', -v_paid);
  RETURN v_paid;
END $$;

-- prisma/functions/complete_run.sql
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
    PERFORM charge_as_said(p_charge, p_paid);
  END IF;
  PERFORM release_hold(p_run);
END $$;

-- prisma/functions/count_account_rows.sql
-- Counts the rows of a kind (the trigger's argument) by account, exactly, whoever writes them,
-- cascades and older processes too. One update a statement and account; its row lock has writers
-- of one account and one kind come one after another, so that whoever looks at the count after
-- its own insert sees all others.
CREATE OR REPLACE FUNCTION count_account_rows()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS c (account_id, name, count)
    SELECT account_id, TG_ARGV[0], count(*) FROM changed GROUP BY account_id
    ON CONFLICT (account_id, name) DO UPDATE SET count = c.count + excluded.count;
  ELSE
    UPDATE row_counts c SET count = c.count - gone.count
    FROM (SELECT account_id, count(*) AS count FROM changed GROUP BY account_id) gone
    WHERE c.account_id = gone.account_id AND c.name = TG_ARGV[0];
  END IF;
  RETURN NULL;
END $$;

-- prisma/functions/count_active_agents.sql
-- `count_account_rows` for agents, of which archived ones do not count: nothing else takes an
-- agent away.
CREATE OR REPLACE FUNCTION count_active_agents()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS c (account_id, name, count)
    SELECT account_id, 'agents', count(*) FROM new_rows WHERE status = 'active'
    GROUP BY account_id
    ON CONFLICT (account_id, name) DO UPDATE SET count = c.count + excluded.count;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE row_counts c SET count = c.count - gone.count
    FROM (
      SELECT account_id, count(*) AS count FROM old_rows WHERE status = 'active'
      GROUP BY account_id
    ) gone
    WHERE c.account_id = gone.account_id AND c.name = 'agents';
  ELSE
    UPDATE row_counts c SET count = c.count + moved.count
    FROM (
      SELECT n.account_id,
        sum((n.status = 'active')::int - (o.status = 'active')::int)::int AS count
      FROM new_rows n JOIN old_rows o ON o.id = n.id AND o.status <> n.status
      GROUP BY n.account_id
    ) moved
    WHERE c.account_id = moved.account_id AND c.name = 'agents';
  END IF;
  RETURN NULL;
END $$;

-- prisma/functions/counted_rows.sql
-- How many rows of a kind an account has, and how many it may have: its own number where the
-- operator has set one, else `p_standard`.
CREATE OR REPLACE FUNCTION counted_rows(
  p_account uuid,
  p_name text,
  p_standard integer,
  OUT count integer,
  OUT cap integer
)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT r.count INTO count FROM row_counts r WHERE r.account_id = p_account AND r.name = p_name;
  SELECT (a.row_caps ->> p_name)::integer INTO cap FROM accounts a WHERE a.id = p_account;
  count := coalesce(count, 0);
  cap := coalesce(cap, p_standard);
END $$;

-- prisma/functions/cover_model_call.sql
-- Covers a model call before it is made: moves what is missing from the wallet to the run's hold;
-- nothing where there is less than `p_least`. A run's row comes first, its hold next, the account
-- last. Gives no row when the run holds nothing any more; `room` is null without a limit.
CREATE OR REPLACE FUNCTION cover_model_call(
  p_run uuid,
  p_account uuid,
  p_max bigint,
  p_root uuid,
  p_least bigint,
  p_most bigint
)
RETURNS TABLE (covered bigint, room bigint)
LANGUAGE plpgsql AS $$
-- Nullable: p_max, p_root, room.
DECLARE
  v_held bigint;
  v_available bigint;
BEGIN
  IF p_root IS NOT NULL THEN
    PERFORM 1 FROM runs
    WHERE id = p_root AND account_id = p_account AND max_credits_micros IS NOT NULL
    FOR NO KEY UPDATE;
  END IF;
  SELECT h.amount_micros INTO v_held
  FROM credit_holds h WHERE h.run_id = p_run AND h.account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  room := run_room(p_run, p_account, p_max, p_root);
  IF v_held >= least(p_most, coalesce(room, p_most)) THEN
    covered := least(p_most, room, v_held);
    RETURN NEXT;
    RETURN;
  END IF;
  -- `NO KEY`: who stores something new for the account holds the row's key until it has counted its
  -- write.
  SELECT a.available_micros INTO v_available
  FROM accounts a WHERE a.id = p_account FOR NO KEY UPDATE;
  covered := least(p_most, room, v_held + v_available);
  IF covered >= p_least AND covered > v_held THEN
    UPDATE accounts SET available_micros = available_micros - (covered - v_held)
    WHERE id = p_account;
    UPDATE credit_holds SET amount_micros = covered WHERE run_id = p_run AND account_id = p_account;
  END IF;
  RETURN NEXT;
END $$;

-- prisma/functions/end_run.sql
-- Ends a run: its status, its conversation's turn, what it asks a person for, and its answer in
-- the conversation. Gives the ended row; no row where the run had ended before. Log, charge and
-- hold are the caller's. Of two that try, one wins.
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
  UPDATE conversations SET active_run_id = NULL, updated_at = now()
  WHERE id = v_run.conversation_id AND account_id = p_account AND active_run_id = p_run;
  IF p_result IS NOT NULL THEN
    INSERT INTO messages (id, conversation_id, run_id, role, text)
    SELECT p_message_id, c.id, p_run, 'assistant', p_result ->> 'text'
    FROM conversations c WHERE c.id = v_run.conversation_id AND c.account_id = p_account
    ON CONFLICT (run_id, role) DO NOTHING;
  END IF;
  UPDATE approvals SET status = 'expired', decided_at = now()
  WHERE run_id = p_run AND account_id = p_account AND status = 'pending';
  RETURN QUERY SELECT v_run.id, v_run.account_id, v_run.kind, v_run.status, v_run.agent_id,
    v_run.conversation_id, v_run.parent_run_id, v_run.webhook_url, v_run.should_notify,
    v_run.result, v_run.error, v_run.model, v_run.trace_parent, v_run.created_at,
    v_run.completed_at;
END $$;

-- prisma/functions/engine_at_work.sql
-- How many runs are at work under a first key; it counts no further than `p_most`.
CREATE OR REPLACE FUNCTION engine_at_work(p_key text, p_most integer)
RETURNS integer
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT count(*) FROM (
    SELECT 1 FROM engine_runs r WHERE r.key = p_key AND r.owner IS NOT NULL LIMIT p_most) r);
END $$;

-- prisma/functions/engine_beat.sql
-- All that a process looks for regularly, in one statement. Gives {alive, processes: [{id,
-- identity}], buried, lanes, next_due_ms, unrouted: [event ids], owned: [{id, attempt}]}; `alive`
-- false: it was given up, and its runs with it. `p_gone`: processes of its own machine that it
-- knows to have ended. Another one is dead once it has shown nothing for `p_silence` seconds, as
-- seen by a process whose own signs came all that time: after the database was away, nobody
-- declares anybody dead.
CREATE OR REPLACE FUNCTION engine_beat(p_process integer, p_gone integer[], p_silence integer)
RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  v_silence interval := make_interval(secs => p_silence);
  v_steady timestamptz;
  v_other record;
  v_buried int := 0;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE engine_processes SET
    seen_at = clock_timestamp(),
    steady_since = CASE WHEN seen_at > clock_timestamp() - v_silence / 2
      THEN steady_since ELSE clock_timestamp() END
  WHERE id = p_process RETURNING steady_since INTO v_steady;
  IF NOT FOUND THEN
    RETURN json_build_object('alive', false);
  END IF;
  FOR v_other IN
    SELECT p.id FROM engine_processes p WHERE p.id <> p_process AND (
      p.id = ANY (p_gone)
      OR (p.seen_at < clock_timestamp() - v_silence AND v_steady < clock_timestamp() - v_silence
        AND pg_postmaster_start_time() < clock_timestamp() - v_silence)
      -- An older version holds an advisory lock while it lives.
      OR (p.seen_at IS NULL AND p.started_at < now() - interval '5 seconds' AND NOT EXISTS (
        SELECT 1 FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = 6782
          AND objid = p.id
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))))
    ORDER BY p.id FOR UPDATE SKIP LOCKED
  LOOP
    v_buried := v_buried + engine_bury(v_other.id, NOT v_other.id = ANY (p_gone));
  END LOOP;
  -- What has slept long enough waits for a place.
  UPDATE engine_runs SET queued = true, due_at = NULL, turn = engine_next_turn(lane, key)
  WHERE id IN (
    SELECT id FROM engine_runs
    WHERE due_at <= clock_timestamp() AND owner IS NULL AND status = 'active'
      AND lane IS NOT NULL AND NOT queued
    ORDER BY due_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
  RETURN json_build_object(
    'alive', true,
    'buried', v_buried,
    'processes', (SELECT json_agg(json_build_object('id', id, 'identity', identity))
      FROM engine_processes),
    'lanes', (SELECT coalesce(json_agg(l.lane), '[]') FROM engine_lanes l
      WHERE EXISTS (SELECT 1 FROM engine_runs r WHERE r.lane = l.lane AND r.queued)),
    'next_due_ms', (SELECT extract(epoch FROM min(due_at) - clock_timestamp()) * 1000
      FROM engine_runs WHERE due_at > clock_timestamp()),
    'unrouted', (SELECT coalesce(json_agg(id), '[]') FROM (
      SELECT id FROM engine_events WHERE routed_at IS NULL ORDER BY received_at LIMIT 100) e),
    'owned', (SELECT coalesce(json_agg(json_build_object('id', id, 'attempt', attempt)), '[]')
      FROM engine_runs WHERE owner = p_process AND status = 'active'));
END $$;

-- prisma/functions/engine_begin_trial.sql
-- Says that a run begins by itself which a process has died with. One process at a time tries one
-- of a lane, so that at most one dies of it. Gives null where the driver has lost the run; -1 where
-- another one is tried; else how often the run was among several that a process died with.
CREATE OR REPLACE FUNCTION engine_begin_trial(p_run uuid, p_owner integer, p_attempt integer)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_lane text;
  v_suspicions int;
BEGIN
  PERFORM pg_advisory_xact_lock(6785);
  SELECT lane INTO v_lane FROM engine_runs
  WHERE id = p_run AND owner = p_owner AND attempt = p_attempt AND status = 'active';
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- A process that froze in a trial holds the others up no longer than this.
  IF EXISTS (
    SELECT 1 FROM engine_runs r
    WHERE r.owner IS NOT NULL AND r.owner <> p_owner
      AND r.lane = v_lane AND r.tried_attempt = r.attempt AND NOT r.trial_passed
      AND r.tried_at > clock_timestamp() - interval '4 seconds')
  THEN
    RETURN -1;
  END IF;
  UPDATE engine_runs
  SET tried_at = clock_timestamp(), tried_attempt = attempt, trial_passed = false
  WHERE id = p_run AND owner = p_owner AND attempt = p_attempt AND status = 'active'
  RETURNING suspicions INTO v_suspicions;
  RETURN v_suspicions;
END $$;

-- prisma/functions/engine_bury.sql
-- Frees the runs of a process that died or froze, and notes what it held. A run whose row is locked
-- is left to be found later (`FORGOTTEN`): nobody's lock keeps others from living.
--
-- Of the runs of one lane that the process had begun, and that made no progress since a death
-- before, a death counts once more against the one that was in its trial: nothing else began then;
-- or, where none was, against the one that was the only one at work there. Of several it counts
-- against none, until they were together in eight; whoever waited for its turn had no part in it,
-- unless there was nothing else. For all others it is the first one.
CREATE OR REPLACE FUNCTION engine_bury(p_process integer, p_froze boolean)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_freed int;
  v_held json;
BEGIN
  DELETE FROM engine_processes WHERE id = p_process;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  WITH held AS (
    SELECT r.id, r.event_id, r.function_id, r.lane, r.takeovers, r.takeover_steps, r.tried_at,
      r.suspicions, r.trial_passed,
      r.takeovers > 0 AND r.tried_attempt IS DISTINCT FROM r.attempt AS untried,
      (SELECT count(*)::int FROM engine_steps s WHERE s.run_id = r.id AND s.done) AS done
    FROM engine_runs r WHERE r.owner = p_process AND r.status = 'active'
    FOR UPDATE OF r SKIP LOCKED
  ), orphan AS (
    SELECT h.*, h.untried AND count(*) OVER (PARTITION BY h.lane) > 1 AS waited FROM held h
  ), begun AS (
    SELECT o.*, o.takeovers > 0 AND o.done = o.takeover_steps AS suspected,
      count(*) OVER (PARTITION BY o.lane) AS among,
      row_number() OVER (PARTITION BY o.lane ORDER BY
        o.takeovers > 0 AND o.done = o.takeover_steps AND NOT o.trial_passed DESC,
        o.tried_at DESC NULLS LAST, o.id) = 1 AS first,
      bool_or(o.takeovers > 0 AND o.done = o.takeover_steps AND NOT o.trial_passed)
        OVER (PARTITION BY o.lane) AS in_trial
    FROM orphan o WHERE NOT o.waited
  ), judged AS (
    SELECT id, event_id, function_id, 'waited' AS part,
      takeovers AS deaths, takeover_steps AS done, suspicions
    FROM orphan WHERE waited
    UNION ALL
    SELECT id, event_id, function_id,
      CASE WHEN NOT suspected THEN 'at_work'
        WHEN among = 1 THEN 'alone'
        WHEN in_trial AND first THEN 'tried'
        ELSE 'among_others' END,
      CASE WHEN NOT suspected THEN 1
        WHEN (in_trial AND first) OR among = 1 OR suspicions >= 7 THEN takeovers + 1
        ELSE takeovers END,
      done,
      CASE WHEN NOT suspected THEN 0 WHEN in_trial THEN suspicions ELSE suspicions + 1 END
    FROM begun
  ), freed AS (
    UPDATE engine_runs r SET
      owner = NULL,
      takeovers = j.deaths,
      takeover_steps = j.done,
      suspicions = j.suspicions,
      tried_at = NULL,
      tried_attempt = NULL,
      trial_passed = false,
      queued = j.deaths < 3 AND r.lane IS NOT NULL,
      due_at = CASE WHEN j.deaths >= 3
        THEN clock_timestamp() + make_interval(secs => least(15, 2 ^ (j.deaths - 3))) END
    FROM judged j WHERE r.id = j.id AND r.owner = p_process AND r.status = 'active'
    RETURNING j.event_id, j.function_id, j.part, j.deaths
  )
  SELECT count(*), json_agg(json_build_object('id', event_id, 'function_id', function_id,
    'part', part, 'deaths', deaths) ORDER BY deaths DESC, event_id)
  INTO v_freed, v_held FROM freed;
  IF v_freed > 0 THEN
    INSERT INTO engine_deaths (process, froze, held) VALUES (p_process, p_froze, v_held);
  END IF;
  RETURN v_freed;
END $$;

-- prisma/functions/engine_claim.sql
-- Takes up to `p_free` runs of a lane up for a process: keys in turn, the oldest run of a key
-- first, no key beyond its limit. `p_limits`: of the functions of the lane; a row of engine_limits
-- stands in place of a first key's. One process at a time counts the places of a lane; rows that
-- somebody else holds are left for the next time.
--
-- Those in front are looked at first. Only where they come to nothing, as their keys are full, are
-- all keys gone through: what stands behind a full key is never read.
--
-- Gives the runs with their events, and in each row whether others still wait; one row without a
-- run where none was taken.
CREATE OR REPLACE FUNCTION engine_claim(
  p_lane text,
  p_owner integer,
  p_free integer,
  p_limits function_limit[]
)
RETURNS TABLE (
  id uuid,
  function_id text,
  attempt integer,
  wakes integer,
  failures integer,
  takeovers integer,
  event_id text,
  event_name text,
  event_data text,
  event_ms bigint,
  waiting boolean
)
-- All that is read here, and in the functions that are called from here, is read in the order of an
-- index and no further than it is needed. Statistics of a queue are always of another moment: what
-- they say of a key would have whole tables read and sorted, and plans made anew at each claim.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
LANGUAGE plpgsql AS $$
-- Nullable: id, function_id, attempt, wakes, failures, takeovers, event_id, event_name, event_data,
-- event_ms.
#variable_conflict use_column
DECLARE
  v_full text[] := '{}';
  v_ids uuid[] := '{}';
  v_keys text[] := '{}';
  v_clock bigint;
  v_run record;
  v_oldest record;
  v_most int;
  v_seen int := 0;
  v_full_before int;
  v_everywhere boolean := false;
  v_waiting boolean;
BEGIN
  -- A claim that is lost with the server is made again; the flush is not worth waiting for.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT l.clock INTO v_clock FROM engine_lanes l WHERE l.lane = p_lane FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO engine_lanes (lane) VALUES (p_lane) ON CONFLICT DO NOTHING;
    SELECT l.clock INTO v_clock FROM engine_lanes l WHERE l.lane = p_lane FOR UPDATE;
  END IF;
  LOOP
    v_full_before := cardinality(v_full);
    FOR v_run IN
      SELECT * FROM engine_front(p_lane) WHERE NOT v_everywhere
      UNION ALL
      SELECT * FROM engine_heads(p_lane, p_free, p_limits, v_full) WHERE v_everywhere
    LOOP
      v_seen := v_seen + 1;
      EXIT WHEN cardinality(v_ids) >= p_free;
      CONTINUE WHEN v_run.id = ANY (v_ids) OR v_run.key = ANY (v_full)
        OR v_run.second_key = ANY (v_full);
      v_most := engine_most(v_run.key, v_run.function_id, p_limits);
      IF v_most IS NOT NULL AND engine_at_work(v_run.key, v_most)
        + cardinality(array_positions(v_keys, v_run.key)) >= v_most
      THEN
        v_full := v_full || v_run.key;
        CONTINUE;
      END IF;
      IF v_run.second_key IS NOT NULL THEN
        SELECT l.second INTO v_most
        FROM unnest(p_limits) l WHERE l.function_id = v_run.function_id;
        IF v_most IS NOT NULL AND cardinality(array_positions(v_keys, v_run.second_key)) + (
          SELECT count(*) FROM (
            SELECT 1 FROM engine_runs r
            WHERE r.second_key = v_run.second_key AND r.owner IS NOT NULL LIMIT v_most) r
        ) >= v_most THEN
          v_full := v_full || v_run.second_key;
          CONTINUE;
        END IF;
      END IF;
      -- The turn is the key's; whose it is is the oldest of its runs, which may have got a later
      -- one when it was woken.
      SELECT r.id, r.turn INTO v_oldest FROM engine_runs r
      WHERE r.key = v_run.key AND r.queued AND r.owner IS NULL AND r.id <> ALL (v_ids)
        AND (r.second_key = v_run.second_key OR (r.second_key IS NULL AND v_run.second_key IS NULL))
      ORDER BY r.since, r.event_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      IF v_oldest.id <> v_run.id THEN
        PERFORM 1 FROM engine_runs r WHERE r.id = v_run.id AND r.queued FOR UPDATE SKIP LOCKED;
        IF FOUND THEN
          UPDATE engine_runs r SET turn = v_oldest.turn WHERE r.id = v_run.id;
          UPDATE engine_runs r SET turn = v_run.turn WHERE r.id = v_oldest.id;
        END IF;
      END IF;
      v_ids := v_ids || v_oldest.id;
      v_keys := v_keys || v_run.key;
      IF v_run.second_key IS NOT NULL THEN
        v_keys := v_keys || v_run.second_key;
      END IF;
      v_clock := greatest(v_clock, v_run.turn);
    END LOOP;
    EXIT WHEN cardinality(v_ids) >= p_free;
    -- All that waits was in front; or all keys were gone through, and none was found full meanwhile
    -- behind whose rows another one's stand.
    EXIT WHEN NOT v_everywhere AND v_seen < 25;
    EXIT WHEN v_everywhere AND cardinality(v_full) = v_full_before;
    v_everywhere := true;
  END LOOP;
  v_waiting := EXISTS (
    SELECT 1 FROM engine_runs r
    WHERE r.lane = p_lane AND r.queued AND r.id <> ALL (v_ids));
  IF cardinality(v_ids) = 0 THEN
    waiting := v_waiting;
    RETURN NEXT;
    RETURN;
  END IF;
  UPDATE engine_lanes SET clock = v_clock WHERE lane = p_lane AND clock <> v_clock;
  RETURN QUERY
  WITH claimed AS (
    UPDATE engine_runs r SET owner = p_owner, attempt = r.attempt + 1, queued = false,
      due_at = NULL
    WHERE r.id = ANY (v_ids) RETURNING r.*
  )
  SELECT c.id, c.function_id, c.attempt, c.wakes, c.failures, c.takeovers, e.id, e.name, e.data,
    (extract(epoch FROM e.received_at) * 1000)::bigint, v_waiting
  FROM claimed c JOIN engine_events e ON e.id = c.event_id
  ORDER BY c.turn, c.since, c.event_id;
END $$;

-- prisma/functions/engine_event.sql
-- An event as a function sees it: composed as text, for its data may hold what `json` reads and
-- `jsonb` does not.
CREATE OR REPLACE FUNCTION engine_event(
  p_id text,
  p_name text,
  p_data text,
  p_received timestamptz
)
RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT ('{"id":' || to_json(p_id)::text || ',"name":' || to_json(p_name)::text
    || ',"data":' || p_data
    || ',"ts":' || (extract(epoch FROM p_received) * 1000)::bigint || '}')::json
$$;

-- prisma/functions/engine_front.sql
-- The first runs that wait in a lane, in their turn. One more than are looked at says that others
-- wait behind them.
CREATE OR REPLACE FUNCTION engine_front(p_lane text)
RETURNS TABLE (id uuid, function_id text, key text, second_key text, turn bigint)
LANGUAGE plpgsql STABLE AS $$
-- Nullable: second_key.
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT r.id, r.function_id, r.key, r.second_key, r.turn FROM engine_runs r
  WHERE r.lane = p_lane AND r.queued AND r.owner IS NULL
  -- A number that the planner sees: the index is read, and nothing is sorted.
  ORDER BY r.turn, r.since, r.event_id LIMIT 25;
END $$;

-- prisma/functions/engine_heads.sql
-- The first runs that wait under each key of a lane which has room, in their turn: at most `p_free`
-- of a key, none under a key of `p_full`. Goes from one key to the next by an index, and counts of
-- each no more than its limit: what it costs follows the number of keys under which runs wait, not
-- the number of runs.
CREATE OR REPLACE FUNCTION engine_heads(
  p_lane text,
  p_free integer,
  p_limits function_limit[],
  p_full text[]
)
RETURNS TABLE (id uuid, function_id text, key text, second_key text, turn bigint)
LANGUAGE plpgsql STABLE AS $$
-- Nullable: second_key.
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH RECURSIVE waits (key) AS (
    (SELECT r.key FROM engine_runs r WHERE r.queued AND r.lane = p_lane ORDER BY r.key LIMIT 1)
    UNION ALL
    SELECT (SELECT r.key FROM engine_runs r
      WHERE r.queued AND r.lane = p_lane AND r.key > w.key ORDER BY r.key LIMIT 1)
    FROM waits w WHERE w.key IS NOT NULL
  ), roomy AS (
    SELECT w.key FROM waits w
      CROSS JOIN LATERAL (
        SELECT r.function_id FROM engine_runs r
        WHERE r.queued AND r.lane = p_lane AND r.key = w.key LIMIT 1) one
      -- Asked once a key, and so not to be put into the condition below.
      CROSS JOIN LATERAL (
        SELECT engine_most(w.key, one.function_id, p_limits) AS most OFFSET 0) allowed
    WHERE w.key <> ALL (p_full)
      AND (allowed.most IS NULL OR engine_at_work(w.key, allowed.most) < allowed.most)
  )
  SELECT head.id, head.function_id, head.key, head.second_key, head.turn
  FROM roomy CROSS JOIN LATERAL (
    SELECT r.id, r.function_id, r.key, r.second_key, r.turn, r.since, r.event_id
    FROM engine_runs r
    WHERE r.queued AND r.lane = p_lane AND r.key = roomy.key AND r.owner IS NULL
      AND (r.second_key IS NULL OR r.second_key <> ALL (p_full))
    ORDER BY r.turn, r.since, r.event_id LIMIT p_free) head
  ORDER BY head.turn, head.since, head.event_id;
END $$;

-- prisma/functions/engine_life.sql
-- The sign of life of a process (decision 0045): one row, on a connection of its own, and nothing
-- else. False: it was given up, and its runs with it.
CREATE OR REPLACE FUNCTION engine_life(p_process integer, p_silence integer)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE engine_processes SET
    seen_at = clock_timestamp(),
    steady_since = CASE WHEN seen_at > clock_timestamp() - make_interval(secs => p_silence / 2.0)
      THEN steady_since ELSE clock_timestamp() END
  WHERE id = p_process;
  RETURN FOUND;
END $$;

-- prisma/functions/engine_matches.sql
-- Whether an event (JSON) has what a wait asks for: a chain of equalities of plain values, which
-- both sides wrote by the same serializer.
CREATE OR REPLACE FUNCTION engine_matches(p_conditions text, p_event json)
RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (
    SELECT coalesce(bool_and(c -> 'path' IS NOT NULL
      AND (p_event #> ARRAY(SELECT json_array_elements_text(c -> 'path')))::text
        IS NOT DISTINCT FROM (c -> 'value')::text), true)
    FROM json_array_elements(p_conditions::json) AS c);
END $$;

-- prisma/functions/engine_most.sql
-- How many runs may be at work at once under a first key: what is set for it in engine_limits, else
-- what its function says; null for no limit.
CREATE OR REPLACE FUNCTION engine_most(
  p_key text,
  p_function text,
  p_limits function_limit[]
)
RETURNS integer
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_most int;
BEGIN
  SELECT l.most INTO v_most FROM engine_limits l WHERE l.key = p_key;
  IF NOT FOUND THEN
    SELECT l.first INTO v_most FROM unnest(p_limits) l WHERE l.function_id = p_function;
  END IF;
  RETURN v_most;
END $$;

-- prisma/functions/engine_next_turn.sql
-- The next turn of a key in its lane: behind its own runs that wait or work, and never before the
-- turn that the lane has come to.
CREATE OR REPLACE FUNCTION engine_next_turn(p_lane text, p_key text)
RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN greatest(
    coalesce((SELECT clock FROM engine_lanes WHERE lane = p_lane), 0),
    coalesce((SELECT turn + 1 FROM engine_runs
      WHERE key = p_key AND queued ORDER BY since DESC LIMIT 1), 0),
    coalesce((SELECT max(turn) + 1 FROM engine_runs
      WHERE key = p_key AND owner IS NOT NULL), 0));
END $$;

-- prisma/functions/engine_route.sql
-- Does what an event calls for: ends the waits and cancels the runs that it matches, and starts
-- `p_starts`. Gives the lanes in which runs wait now, and the runs that it woke, each with the
-- process that drives it (-1 where nobody does).
CREATE OR REPLACE FUNCTION engine_route(
  p_id text,
  p_event json,
  p_match_values text[],
  p_received timestamptz,
  p_starts engine_start[],
  p_cancels engine_cancel[],
  OUT lanes text[],
  OUT woken uuid[],
  OUT owners integer[]
)
LANGUAGE plpgsql AS $$
DECLARE
  v_name text := p_event ->> 'name';
  v_wait record;
  v_owner int;
BEGIN
  woken := '{}';
  owners := '{}';
  FOR v_wait IN
    SELECT w.run_id, w.step_id, w.kind FROM engine_waits w
    WHERE w.event = v_name AND (w.due_at IS NULL OR w.due_at > now())
      AND (w.match_value IS NULL OR p_match_values IS NULL OR w.match_value = ANY (p_match_values))
      AND engine_matches(w.conditions, p_event)
    -- One order for all, so that two events which touch the same runs cannot lock each other out.
    ORDER BY w.run_id, w.kind
  LOOP
    IF v_wait.kind = 'cancel' THEN
      SELECT owner INTO v_owner FROM engine_runs
      WHERE id = v_wait.run_id AND status = 'active' FOR NO KEY UPDATE;
      CONTINUE WHEN NOT FOUND;
      UPDATE engine_runs SET status = 'cancelled', ended_at = now(), wakes = wakes + 1,
        queued = false, due_at = NULL, owner = NULL
      WHERE id = v_wait.run_id;
      DELETE FROM engine_waits WHERE run_id = v_wait.run_id;
    ELSE
      UPDATE engine_steps SET done = true, data = p_event::text, error = NULL,
        position = DEFAULT, due_at = NULL
      WHERE run_id = v_wait.run_id AND id = v_wait.step_id AND NOT done;
      CONTINUE WHEN NOT FOUND;
      DELETE FROM engine_waits WHERE run_id = v_wait.run_id AND step_id = v_wait.step_id;
      v_owner := engine_wake(v_wait.run_id);
    END IF;
    woken := woken || v_wait.run_id;
    owners := owners || coalesce(v_owner, -1);
  END LOOP;

  WITH run AS (
    INSERT INTO engine_runs
      (id, function_id, event_id, lane, key, second_key, turn, since, queued)
    SELECT s.id, s.function_id, p_id, s.lane, s.key, s.second_key,
      engine_next_turn(s.lane, s.key), p_received, true
    FROM unnest(p_starts) s
    ON CONFLICT (id) DO NOTHING RETURNING id, lane
  ), cancel AS (
    INSERT INTO engine_waits (run_id, step_id, kind, event, match_value, conditions)
    SELECT run.id, c.step_id, 'cancel', c.event, c.match_value, c.conditions
    FROM unnest(p_cancels) c JOIN run ON run.id = c.run
    ON CONFLICT DO NOTHING
  )
  SELECT coalesce(array_agg(DISTINCT run.lane), '{}') INTO lanes FROM run;
END $$;

-- prisma/functions/engine_route_stored.sql
-- `engine_send` for an event that waited; nulls when somebody was quicker.
CREATE OR REPLACE FUNCTION engine_route_stored(
  p_id text,
  p_starts engine_start[],
  p_cancels engine_cancel[],
  OUT lanes text[],
  OUT woken uuid[],
  OUT owners integer[]
)
LANGUAGE plpgsql AS $$
-- Nullable: lanes, woken, owners.
DECLARE
  v_event engine_events;
BEGIN
  UPDATE engine_events SET routed_at = now() WHERE id = p_id AND routed_at IS NULL
  RETURNING * INTO v_event;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT r.lanes, r.woken, r.owners INTO lanes, woken, owners
  FROM engine_route(p_id,
    engine_event(p_id, v_event.name, v_event.data, v_event.received_at),
    v_event.match_values, v_event.received_at, p_starts, p_cancels) r;
END $$;

-- prisma/functions/engine_send.sql
-- Stores an event and does what it calls for; nothing when its id is known. Without `p_routes` (the
-- sender drives nothing, and does not know what it starts) the event waits for a process that does.
-- Gives what `engine_route` gives, nulls where nothing was done.
CREATE OR REPLACE FUNCTION engine_send(
  p_id text,
  p_name text,
  p_data text,
  p_function text,
  p_match_values text[],
  p_routes boolean,
  p_starts engine_start[],
  p_cancels engine_cancel[],
  OUT lanes text[],
  OUT woken uuid[],
  OUT owners integer[]
)
LANGUAGE plpgsql AS $$
-- Nullable: p_function, lanes, woken, owners.
DECLARE
  v_received timestamptz;
BEGIN
  INSERT INTO engine_events (id, name, data, function_id, match_values, routed_at)
  VALUES (p_id, p_name, p_data, p_function, p_match_values, CASE WHEN p_routes THEN now() END)
  ON CONFLICT (id) DO NOTHING RETURNING received_at INTO v_received;
  IF NOT FOUND OR NOT p_routes THEN
    RETURN;
  END IF;
  SELECT r.lanes, r.woken, r.owners INTO lanes, woken, owners
  FROM engine_route(p_id, engine_event(p_id, p_name, p_data, v_received), p_match_values,
    clock_timestamp(), p_starts, p_cancels) r;
END $$;

-- prisma/functions/engine_store_result.sql
-- The result of a step of the engine, or the end of its run, as part of the transaction that makes
-- it true. Raises LT001 when the driver has lost the run.
CREATE OR REPLACE FUNCTION engine_store_result(p_result engine_result)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_result.step_id IS NULL THEN
    UPDATE engine_runs SET status = 'completed', output = 'null', ended_at = now(), owner = NULL,
      due_at = NULL
    WHERE id = p_result.run AND attempt = p_result.attempt AND owner = p_result.owner
      AND status = 'active';
    IF FOUND THEN
      DELETE FROM engine_waits WHERE run_id = p_result.run;
      RETURN;
    END IF;
  ELSE
    PERFORM 1 FROM engine_runs
    WHERE id = p_result.run AND attempt = p_result.attempt AND owner = p_result.owner
      AND status = 'active' FOR SHARE;
    IF FOUND THEN
      INSERT INTO engine_steps (run_id, id, op, name, done, data)
      VALUES (p_result.run, p_result.step_id, 'StepRun', p_result.step_name, true,
        p_result.step_data)
      ON CONFLICT (run_id, id) DO UPDATE SET done = true, data = excluded.data, error = NULL,
        due_at = NULL, position = DEFAULT
      WHERE NOT engine_steps.done;
      RETURN;
    END IF;
  END IF;
  RAISE EXCEPTION 'another driver has this run' USING ERRCODE = 'LT001';
END $$;

-- prisma/functions/engine_wake.sql
-- Has a run that sleeps wait for a place, or tells its driver by `wakes`. Gives the driver's
-- process; null where nobody drives it.
CREATE OR REPLACE FUNCTION engine_wake(p_run uuid)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_owner int;
BEGIN
  UPDATE engine_runs SET
    wakes = wakes + 1,
    turn = CASE WHEN owner IS NULL AND NOT queued AND lane IS NOT NULL
      THEN engine_next_turn(lane, key) ELSE turn END,
    due_at = CASE WHEN owner IS NULL THEN NULL ELSE due_at END,
    queued = owner IS NULL AND lane IS NOT NULL
  WHERE id = p_run AND status = 'active' RETURNING owner INTO v_owner;
  RETURN v_owner;
END $$;

-- prisma/functions/forget_summed_up_messages.sql
-- What was said in a run that is deleted is in no summary any more, whichever version of the
-- service deletes it.
CREATE OR REPLACE FUNCTION forget_summed_up_messages()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversation_summaries s USING gone g
  WHERE s.conversation_id = g.conversation_id AND g.position <= s.through_position;
  RETURN NULL;
END $$;

-- prisma/functions/go_on_private.sql
-- A conversation that goes on has its row written, and so held, by the same acceptance before: it
-- has seen what is private from its next run on, where that begins with it.
CREATE OR REPLACE FUNCTION go_on_private()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations SET seen_private = true
  WHERE id = NEW.conversation_id AND account_id = NEW.account_id AND NOT seen_private
    AND begins_private(NEW);
  RETURN NULL;
END $$;

-- prisma/functions/principal_changed.sql
-- Processes keep what they know of keys for a moment; this is how they hear that it is otherwise.
CREATE OR REPLACE FUNCTION principal_changed()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('principal_changed', CASE WHEN TG_TABLE_NAME = 'accounts'
    THEN to_jsonb(OLD) ->> 'id' ELSE to_jsonb(OLD) ->> 'account_id' END);
  RETURN NULL;
END $$;

-- prisma/functions/release_hold.sql
-- Gives what a run did not spend back to the wallet. Again: nothing happens.
CREATE OR REPLACE FUNCTION release_hold(p_run uuid)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH gone AS (
    DELETE FROM credit_holds WHERE run_id = p_run RETURNING account_id, amount_micros
  )
  UPDATE accounts a SET available_micros = a.available_micros + gone.amount_micros
  FROM gone WHERE a.id = gone.account_id;
END $$;

-- prisma/functions/run_room.sql
-- What a run may still cost, in millionths of a credit; null without a limit. Of the runs of a
-- super-agent all count together, by what they have spent and by what the others hold. `p_max`:
-- the run's own limit; `p_root`: the super-agent's run whose limit holds for all that it started.
CREATE OR REPLACE FUNCTION run_room(p_run uuid, p_account uuid, p_max bigint, p_root uuid)
RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
-- Nullable: p_max, p_root.
DECLARE
  v_room bigint;
  v_root_max bigint;
BEGIN
  -- Most runs have no limit of their own, and nothing is to be summed up for them.
  IF p_max IS NULL AND p_root IS NULL THEN
    RETURN NULL;
  END IF;
  IF p_max IS NOT NULL THEN
    SELECT p_max - coalesce(sum(u.credits_micros), 0) INTO v_room
    FROM run_usage u WHERE u.run_id = p_run AND u.account_id = p_account;
  END IF;
  IF p_root IS NULL THEN
    RETURN v_room;
  END IF;
  SELECT r.max_credits_micros INTO v_root_max
  FROM runs r WHERE r.id = p_root AND r.account_id = p_account;
  IF v_root_max IS NULL THEN
    RETURN v_room;
  END IF;
  RETURN least(v_room, v_root_max
    - (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u JOIN runs f ON f.id = u.run_id
       WHERE f.account_id = p_account AND (f.id = p_root OR f.parent_run_id = p_root))
    - (SELECT coalesce(sum(h.amount_micros), 0) FROM credit_holds h JOIN runs f ON f.id = h.run_id
       WHERE f.account_id = p_account AND h.run_id <> p_run
         AND (f.id = p_root OR f.parent_run_id = p_root)));
END $$;

-- prisma/functions/run_statuses_before.sql
-- The statuses from which a run may move to `p_next`: the guard of each move. lib/model/run/
-- run-status.ts says the same in TypeScript; lib/storage/sql-source.db.test.ts compares the two.
CREATE OR REPLACE FUNCTION run_statuses_before(p_next text)
RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_next
    WHEN 'running' THEN ARRAY['pending']
    WHEN 'completed' THEN ARRAY['running']
    WHEN 'failed' THEN ARRAY['pending', 'running']
    WHEN 'cancelled' THEN ARRAY['pending', 'running']
    ELSE ARRAY[]::text[]
  END
$$;

-- prisma/functions/store_model_turn.sql
-- One turn of a run's transcript, with the calls before it that came to nothing.
CREATE OR REPLACE FUNCTION store_model_turn(p_turn model_turn, p_spans span_part[])
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason,
    agent_version_id, started_at, first_token_ms, reasoning_tokens, request_id)
  VALUES (p_turn.run, p_turn.turn, p_turn.message_id, p_turn.model, p_turn.content,
    p_turn.finish_reason, p_turn.agent_version_id,
    now() - make_interval(secs => p_turn.took_ms / 1000), p_turn.first_token_ms,
    p_turn.reasoning_tokens, p_turn.request_id);
  IF cardinality(p_spans) > 0 THEN
    PERFORM store_run_spans(p_turn.run, p_spans);
  END IF;
END $$;

-- prisma/functions/store_run_spans.sql
-- What a run's trace tells beside its rows. Storing a part again changes nothing.
CREATE OR REPLACE FUNCTION store_run_spans(p_run uuid, p_spans span_part[])
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO run_spans
    (run_id, id, turn, kind, name, status, started_at, ended_at, attributes, output, error)
  SELECT p_run, s.id, s.turn, s.kind, s.name, s.status,
    clock_timestamp() - make_interval(secs => s.ago_ms / 1000),
    clock_timestamp() - make_interval(secs => (s.ago_ms - s.took_ms) / 1000),
    s.attributes, s.output, s.error
  FROM unnest(p_spans) s
  ON CONFLICT (run_id, id) DO NOTHING;
END $$;

-- prisma/functions/store_tool_result.sql
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

-- prisma/functions/store_turn.sql
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

-- prisma/functions/take_hourly_write.sql
-- Counts one write against an account's hourly quota and gives where the hour stands; the caller
-- refuses what is one too many, and its rollback gives the write back.
CREATE OR REPLACE FUNCTION take_hourly_write(
  p_account uuid,
  OUT count integer,
  OUT retry_seconds integer
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO hour_buckets AS b (key, window_started_at, count)
  VALUES ('write:' || p_account, clock_timestamp(), 1)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN b.window_started_at <= clock_timestamp() - interval '1 hour'
      THEN 1 ELSE b.count + 1 END,
    window_started_at = CASE WHEN b.window_started_at <= clock_timestamp() - interval '1 hour'
      THEN clock_timestamp() ELSE b.window_started_at END
  RETURNING b.count, greatest(1,
    ceil(3600 - extract(epoch FROM clock_timestamp() - b.window_started_at)))::integer
  INTO count, retry_seconds;
END $$;

-- prisma/functions/take_log.sql
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
  UPDATE run_logs log SET writer = log.writer + 1, owner = p_process
  WHERE log.run_id = p_run AND log.closed_at IS NULL
  RETURNING log.writer, log.next_sequence, log.open_message_id;
END $$;

DROP FUNCTION engine_bury(integer);

RESET check_function_bodies;
