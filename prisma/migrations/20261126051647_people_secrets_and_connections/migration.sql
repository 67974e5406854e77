-- AlterTable
ALTER TABLE "mcp_connections" ADD COLUMN     "end_user" TEXT;

-- AlterTable
ALTER TABLE "run_usage" ADD COLUMN     "key_id" UUID;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "key_id" UUID;

-- AlterTable
ALTER TABLE "secrets" ADD COLUMN     "end_user" TEXT;

-- CreateIndex
-- The table comes with the same release.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "end_users_account_id_prefix_idx" ON "end_users"("account_id", "end_user" COLLATE "C");

-- CreateIndex
-- Sign-ins are few: a hundred an account.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "mcp_connections_account_id_own_idx" ON "mcp_connections"("account_id", "id") WHERE (end_user IS NULL);

-- CreateIndex
-- Sign-ins are few: a hundred an account.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "mcp_connections_account_id_end_user_id_idx" ON "mcp_connections"("account_id", "end_user", "id") WHERE (end_user IS NOT NULL);

-- Finds how this service is registered at a server for any person.
-- Sign-ins are few: a hundred an account.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "mcp_connections_server_idx" ON "mcp_connections"("account_id", split_part("server_url", E'\n', 1), "id") WHERE (end_user IS NOT NULL);

-- CreateIndex
-- Secrets are few: a thousand an account.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "secrets_account_id_own_idx" ON "secrets"("account_id", "id") WHERE (end_user IS NULL);

-- CreateIndex
-- Secrets are few: a thousand an account.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "secrets_account_id_end_user_id_idx" ON "secrets"("account_id", "end_user", "id") WHERE (end_user IS NOT NULL);

-- Bodies name functions that stand further down.
SET check_function_bodies = off;

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
-- `p_origin`: who asked for it, behind a colon with the id of the key that did. What a run starts
-- is the same key's.
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
  v_end_user text := nullif(p_metadata ->> 'end_user', '');
  v_owner text;
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
  RETURN QUERY SELECT v_now::timestamptz, v_routed.lanes::text[], v_routed.woken::uuid[],
    v_routed.owners::integer[], NULL::integer, NULL::text;
END $$;

-- prisma/functions/begin_budget_wait.sql
-- Has a run wait until its limit, or its account, covers its next call: the wait, what the run says
-- that it requires, and what it holds, which goes back to the wallet, together. A super-agent's run
-- that started it says the same. `asked`: it waits; `settled`: there is enough by now, or this wait
-- is over; `refused`: its person has used up their day, which nothing that is raised gives back;
-- `ended`: the run is over. Repeated, it changes nothing (`is_new`). Rows are locked in the
-- order in which a call is covered: run, super-agent's run, hold, account.
CREATE OR REPLACE FUNCTION begin_budget_wait(
  p_wait uuid,
  p_run uuid,
  p_account uuid,
  p_agent_max bigint,
  p_root uuid,
  p_least bigint,
  p_turn integer,
  p_call text,
  p_seconds integer
)
RETURNS TABLE (outcome text, is_new boolean, action jsonb)
LANGUAGE plpgsql AS $$
-- Nullable: p_agent_max, p_root, p_call, action.
DECLARE
  v_status text;
  v_held bigint;
  v_lack record;
BEGIN
  is_new := false;
  SELECT r.status, r.requires_action INTO v_status, action
  FROM runs r WHERE r.id = p_run AND r.account_id = p_account FOR NO KEY UPDATE;
  IF v_status IS DISTINCT FROM 'running' THEN
    outcome := 'ended';
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT w.status INTO v_status FROM budget_waits w
  WHERE w.id = p_wait AND w.run_id = p_run AND w.account_id = p_account;
  IF FOUND THEN
    outcome := CASE v_status WHEN 'waiting' THEN 'asked' ELSE 'settled' END;
    RETURN NEXT;
    RETURN;
  END IF;
  IF p_root <> p_run THEN
    PERFORM 1 FROM runs WHERE id = p_root AND account_id = p_account FOR NO KEY UPDATE;
  END IF;
  SELECT h.amount_micros INTO v_held
  FROM credit_holds h WHERE h.run_id = p_run AND h.account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    outcome := 'ended';
    RETURN NEXT;
    RETURN;
  END IF;
  PERFORM 1 FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  SELECT * INTO v_lack FROM budget_lack(p_run, p_account, p_agent_max, p_root, p_least);
  IF NOT FOUND THEN
    outcome := CASE WHEN end_user_room(p_account, (
        SELECT r.end_user FROM runs r WHERE r.id = p_run AND r.account_id = p_account), p_run)
      < p_least THEN 'refused' ELSE 'settled' END;
    RETURN NEXT;
    RETURN;
  END IF;
  -- What it holds may be what another one waits for.
  UPDATE credit_holds SET amount_micros = 0 WHERE run_id = p_run AND account_id = p_account;
  UPDATE accounts SET available_micros = available_micros + v_held WHERE id = p_account;
  IF v_lack.kind = 'credits' THEN
    UPDATE accounts SET credits_awaited_micros = least(credits_awaited_micros, p_least)
    WHERE id = p_account;
  END IF;
  INSERT INTO budget_waits (id, run_id, account_id, root_run_id, kind, turn, tool_call_id,
    least_micros, agent_max_micros, status, expires_at)
  VALUES (p_wait, p_run, p_account, p_root, v_lack.kind, p_turn, p_call, p_least, p_agent_max,
    'waiting', now() + make_interval(secs => p_seconds));
  UPDATE runs SET requires_action = v_lack.action WHERE id = p_run AND account_id = p_account;
  IF p_root <> p_run THEN
    INSERT INTO budget_waits (id, run_id, account_id, of_wait, kind, turn, least_micros, status,
      expires_at)
    SELECT new_id(), r.id, p_account, p_wait, v_lack.kind, 0, 0, 'waiting',
      now() + make_interval(secs => p_seconds)
    FROM runs r WHERE r.id = p_root AND r.account_id = p_account AND r.status = 'running';
    UPDATE runs SET requires_action = v_lack.root_action
    WHERE id = p_root AND account_id = p_account AND status = 'running' AND requires_action IS NULL;
  END IF;
  outcome := 'asked';
  is_new := true;
  action := v_lack.action;
  RETURN NEXT;
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
    -- From the uppermost down: who is below the same limit comes one after another.
    PERFORM 1 FROM runs
    WHERE account_id = p_charge.account
      AND id IN (SELECT a.run FROM runs_above(p_charge.root, p_charge.account) a
        WHERE a.most IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE;
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
  INSERT INTO run_usage (run_id, step_key, account_id, agent_id, end_user, key_id, model,
    capability, input_tokens, output_tokens, cached_input_tokens, units, credits_micros,
    price_micros)
  VALUES (p_charge.run, p_charge.step_key, p_charge.account, p_charge.agent,
    (SELECT r.end_user FROM runs r WHERE r.id = p_charge.run AND r.account_id = p_charge.account),
    (SELECT r.key_id FROM runs r WHERE r.id = p_charge.run AND r.account_id = p_charge.account),
    p_charge.model, p_charge.capability, p_charge.input_tokens, p_charge.output_tokens,
    p_charge.cached_input_tokens, p_charge.units, v_paid, p_charge.price);
  INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros)
  VALUES (p_charge.ledger_id, p_charge.account, p_charge.run, 'usage', -v_paid);
  RETURN v_paid;
END $$;

-- prisma/functions/count_owned_rows.sql
-- Counts the rows of a kind (the trigger's argument) as `count_account_rows` does, those of an
-- account's end users apart from its own: under `end_user_<kind>`.
CREATE OR REPLACE FUNCTION count_owned_rows()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS c (account_id, name, count)
    SELECT account_id, CASE WHEN end_user IS NULL THEN '' ELSE 'end_user_' END || TG_ARGV[0],
      count(*)
    FROM changed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (account_id, name) DO UPDATE SET count = c.count + excluded.count;
  ELSE
    UPDATE row_counts c SET count = c.count - gone.count
    FROM (
      SELECT account_id,
        CASE WHEN end_user IS NULL THEN '' ELSE 'end_user_' END || TG_ARGV[0] AS name,
        count(*) AS count
      FROM changed GROUP BY 1, 2) gone
    WHERE c.account_id = gone.account_id AND c.name = gone.name;
  END IF;
  RETURN NULL;
END $$;

-- prisma/functions/record_connection_event.sql
-- The sign-in of a connection has ended. A person's server stands with whose it is behind a line
-- break.
CREATE OR REPLACE FUNCTION record_connection_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(NEW.account_id, 'connection.needs_sign_in',
    jsonb_build_object('connection_id', NEW.id, 'server_url', split_part(NEW.server_url, E'\n', 1))
      || CASE WHEN NEW.end_user IS NULL THEN '{}'::jsonb
           ELSE jsonb_build_object('end_user', NEW.end_user) END);
  RETURN NULL;
END $$;

RESET check_function_bodies;

-- What the functions above count is told apart by whose it is.
CREATE OR REPLACE TRIGGER "secrets_counted_in" AFTER INSERT ON "secrets"
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_owned_rows('secrets');
CREATE OR REPLACE TRIGGER "secrets_counted_out" AFTER DELETE ON "secrets"
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_owned_rows('secrets');
CREATE OR REPLACE TRIGGER "mcp_connections_counted_in" AFTER INSERT ON "mcp_connections"
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
EXECUTE FUNCTION count_owned_rows('connections');
CREATE OR REPLACE TRIGGER "mcp_connections_counted_out" AFTER DELETE ON "mcp_connections"
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
EXECUTE FUNCTION count_owned_rows('connections');
