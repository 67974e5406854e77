-- Accepts a run: idempotent replay, limits, the run, its log, its conversation, its place in the
-- engine and its credits, or nothing of it. What it refuses it raises as LR001: the message is
-- the code, the detail JSON. The account's row comes last, so that others of the account wait for
-- the commit alone. Money is in millionths of a credit.
--
-- For whom it is stands in `metadata.end_user`; without it, it is for the person of its
-- conversation, or of the run that started it. A conversation is one person's: of the first who is
-- named in it. Another's is not there.
--
-- `p_origin`: who asked for it, behind a colon with the id of the key that did. What a run starts
-- is the same key's.
--
-- `p_limit`: the least of what the run may cost in all. `p_writes`: how many writes an hour it
-- counts against. `p_agents_cap`: set where it is to build an agent. `p_is_new`: the conversation
-- begins with it. `p_answer`: the answer that is kept for its key, in the pieces between which
-- the time of its acceptance stands. `p_sends`: the engine hears of it by the same statement;
-- `p_routes`: and starts what stands in `p_starts`, which the sender drives itself. `p_owner`:
-- the process that accepts has a place for it, and takes it up where it would be the next one
-- anyway (`engine_claim_new`, by `p_limits`).
--
-- Gives the time of the acceptance, what the engine has set going, and whether the process has
-- taken the run up; or the answer that was kept of an earlier request with the same key
-- (`replay_status` is set then).
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
  v_key uuid := nullif(split_part(p_origin, ':', 2), '')::uuid;
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

  IF p_parent_run IS NOT NULL THEN
    SELECT r.end_user, r.key_id INTO v_first FROM runs r
    WHERE r.id = p_parent_run AND r.account_id = p_account;
    v_end_user := coalesce(v_end_user, v_first.end_user);
    v_key := coalesce(v_key, v_first.key_id);
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
    should_notify, release_note, origin, key_id, parent_run_id, parent_call_id, trace_parent,
    created_at)
  VALUES (p_run, p_account, p_kind, 'pending', p_agent, p_conversation, p_workspace,
    p_schedule, p_input, p_model, p_metadata, v_end_user, p_max_credits, p_webhook_url,
    p_should_notify, p_release_note, split_part(p_origin, ':', 1), v_key, p_parent_run,
    p_parent_call, p_trace_parent, v_now);
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
