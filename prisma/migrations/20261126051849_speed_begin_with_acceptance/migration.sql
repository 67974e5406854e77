-- contract: processes of the release before call `accept_run` by JSON (prisma/functions/previous);
-- the form without a process is younger than that release.
-- Bodies name functions that stand further down.
SET check_function_bodies = off;

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
    starts_of((p -> 'event' -> 'starts')::json), cancels_of((p -> 'event' -> 'starts')::json),
    NULL, '{}') a
$$;

-- prisma/functions/accept_run.sql
-- Accepts a run: idempotent replay, limits, the run, its log, its conversation, its place in the
-- engine and its credits, or nothing of it. What it refuses it raises as LR001: the message is
-- the code, the detail JSON. The account's row comes last, so that others of the account wait for
-- the commit alone. Money is in millionths of a credit.
--
-- For whom it is stands in `metadata.end_user`; without it, it is for the person of its
-- conversation, or of the run that started it. A conversation is one person's: of the first who is
-- named in it. Another's is not there.
--
-- `p_limit`: the least of what the run may cost in all. `p_writes`: how many writes an hour it
-- counts against. `p_agents_cap`: set where it is to build an agent. `p_is_new`: the conversation
-- begins with it. `p_answer`: the answer that is kept for its key, in the pieces between which
-- the time of its acceptance stands. `p_sends`: the engine hears of it by the same statement;
-- `p_routes`: and starts what stands in `p_starts`, which the sender drives itself. `p_owner`: the
-- process that accepts has a place for it, and takes it up where it would be the next one anyway
-- (`engine_claim_new`, by `p_limits`).
--
-- Gives the time of the acceptance, what the engine has set going, and whether the process has taken
-- the run up; or the answer that was kept of an earlier request with the same key (`replay_status`
-- is set then).
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
  p_cancels engine_cancel[],
  p_owner integer,
  p_limits function_limit[]
)
RETURNS TABLE (
  created_at timestamptz,
  lanes text[],
  woken uuid[],
  owners integer[],
  claimed boolean,
  replay_status integer,
  replay_body text
)
LANGUAGE plpgsql AS $$
-- Nullable: p_agent, p_workspace, p_schedule, p_max_credits, p_webhook_url, p_release_note,
-- p_parent_run, p_parent_call, p_trace_parent, p_limit, p_writes, p_agents_cap, p_route, p_key,
-- p_key_hash, p_answer_status, p_answer, p_owner, created_at, lanes, woken, owners, replay_status,
-- replay_body.
#variable_conflict use_column
DECLARE
  -- As columns of this precision keep it, so that the answer says what a later reading says.
  v_now timestamptz(3) := now();
  v_first record;
  v_rows record;
  v_routed record;
  v_available bigint;
  v_end_user text := nullif(p_metadata ->> 'end_user', '');
  v_owner text;
  v_claimed boolean := false;
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
        false, v_first.status::integer, v_first.body::text;
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

  IF v_end_user IS NULL AND p_parent_run IS NOT NULL THEN
    SELECT r.end_user INTO v_end_user FROM runs r
    WHERE r.id = p_parent_run AND r.account_id = p_account;
  END IF;
  IF NOT p_is_new THEN
    SELECT c.end_user INTO v_owner FROM conversations c
    WHERE c.id = p_conversation AND c.account_id = p_account;
    v_end_user := coalesce(v_end_user, v_owner);
  END IF;
  IF v_end_user IS NOT NULL THEN
    PERFORM admit_end_user(p_account, v_end_user, p_estimate, false);
  END IF;
  IF NOT p_is_new THEN
    UPDATE conversations SET active_run_id = p_run, updated_at = now(),
      end_user = coalesce(end_user, v_end_user)
    WHERE id = p_conversation AND account_id = p_account AND family = p_family
      AND active_run_id IS NULL
      AND (end_user IS NULL OR end_user IS NOT DISTINCT FROM v_end_user);
    IF NOT FOUND THEN
      SELECT c.active_run_id INTO v_first FROM conversations c
      WHERE c.id = p_conversation AND c.account_id = p_account AND c.family = p_family
        AND (c.end_user IS NULL OR c.end_user IS NOT DISTINCT FROM v_end_user);
      IF NOT FOUND THEN
        RAISE EXCEPTION 'CONVERSATION_NOT_FOUND' USING ERRCODE = 'LR001', DETAIL = '{}';
      END IF;
      RAISE EXCEPTION 'CONVERSATION_BUSY' USING ERRCODE = 'LR001',
        DETAIL = jsonb_build_object('run_id', v_first.active_run_id);
    END IF;
    IF v_owner IS NULL AND v_end_user IS NOT NULL THEN
      UPDATE runs SET end_user = v_end_user
      WHERE conversation_id = p_conversation AND account_id = p_account AND end_user IS NULL;
    END IF;
  END IF;
  INSERT INTO runs (id, account_id, kind, status, agent_id, conversation_id, workspace_id,
    schedule_id, input, model, metadata, end_user, max_credits_micros, webhook_url,
    should_notify, release_note, origin, parent_run_id, parent_call_id, trace_parent, created_at)
  VALUES (p_run, p_account, p_kind, 'pending', p_agent, p_conversation, p_workspace,
    p_schedule, p_input, p_model, p_metadata, v_end_user, p_max_credits, p_webhook_url,
    p_should_notify, p_release_note, p_origin, p_parent_run, p_parent_call, p_trace_parent, v_now);
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
    INSERT INTO conversations (id, account_id, family, end_user, active_run_id, updated_at)
    VALUES (p_conversation, p_account, p_family, v_end_user, p_run, now());
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
  IF p_owner IS NOT NULL AND v_routed.lanes IS NOT NULL THEN
    v_claimed := engine_claim_new((p_starts[1]).id, p_owner, p_limits);
  END IF;
  RETURN QUERY SELECT v_now::timestamptz, v_routed.lanes::text[], v_routed.woken::uuid[],
    v_routed.owners::integer[], v_claimed, NULL::integer, NULL::text;
END $$;

-- prisma/functions/engine_claim.sql
-- Takes up to `p_free` runs of a lane up for a process: keys in turn, the oldest run of a key
-- first, no key beyond its limit. `p_limits`: of the functions of the lane; a row of engine_limits
-- stands in place of a first key's. One process at a time counts the places of a lane, and not while
-- a run is taken up with its acceptance (`engine_claim_new`); rows that somebody else holds are left
-- for the next time.
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
  PERFORM pg_advisory_xact_lock(6786, hashtext(p_lane));
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

-- prisma/functions/engine_claim_new.sql
-- Takes a run up for the process that has just put it into the queue, by this very transaction and
-- as its last act: only where nothing waits in its lane, so that it passes nobody, where its key has
-- room, and while the process is not given up for dead. Else it waits for its turn like all others.
-- Gives whether it was taken.
--
-- What counts the places of a lane (`engine_claim`) and this exclude each other, and of one key's
-- runs one is taken at a time, until the transaction ends. It waits for no lock itself: who holds
-- one may wait for a flush.
--
-- Its turn is the one that the lane has come to: nobody who comes later is put before what waits by
-- that, and the lane need not be written to.
CREATE OR REPLACE FUNCTION engine_claim_new(
  p_run uuid,
  p_owner integer,
  p_limits function_limit[]
)
RETURNS boolean
-- As `engine_claim`.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
LANGUAGE plpgsql AS $$
DECLARE
  v_run record;
  v_most int;
BEGIN
  SELECT r.lane, r.key, r.second_key, r.function_id INTO v_run
  FROM engine_runs r WHERE r.id = p_run AND r.queued AND r.owner IS NULL;
  IF NOT FOUND OR v_run.second_key IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM engine_processes p WHERE p.id = p_owner)
    OR EXISTS (
      SELECT 1 FROM engine_runs r WHERE r.lane = v_run.lane AND r.queued AND r.id <> p_run)
  THEN
    RETURN false;
  END IF;
  IF NOT pg_try_advisory_xact_lock_shared(6786, hashtext(v_run.lane))
    OR NOT pg_try_advisory_xact_lock(6787, hashtext(v_run.key))
  THEN
    RETURN false;
  END IF;
  v_most := engine_most(v_run.key, v_run.function_id, p_limits);
  IF v_most IS NOT NULL AND engine_at_work(v_run.key, v_most) >= v_most THEN
    RETURN false;
  END IF;
  UPDATE engine_runs r SET owner = p_owner, attempt = r.attempt + 1, queued = false,
    turn = coalesce((SELECT l.clock FROM engine_lanes l WHERE l.lane = v_run.lane), 0)
  WHERE r.id = p_run;
  RETURN true;
END $$;

DROP FUNCTION accept_run(uuid,uuid,text,uuid,uuid,text,boolean,uuid,uuid,jsonb,text,text,jsonb,bigint,text,boolean,text,text,uuid,text,text,uuid,text,bigint,bigint,boolean,integer,integer,integer,text,text,text,integer,integer,text[],boolean,boolean,text[],engine_start[],engine_cancel[]);

RESET check_function_bodies;
