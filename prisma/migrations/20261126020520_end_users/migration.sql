-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "end_user" TEXT;

-- AlterTable
ALTER TABLE "run_usage" ADD COLUMN     "end_user" TEXT;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "end_user" TEXT;

-- AlterTable
ALTER TABLE "schedules" ADD COLUMN     "end_user" TEXT;

-- CreateTable
CREATE TABLE "end_users" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "end_user" TEXT NOT NULL,
    "max_credits_per_day_micros" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3),
    "erasing_at" TIMESTAMPTZ(3),
    "erased" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "end_users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "erased_files" (
    "storage_key" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "end_user_id" UUID NOT NULL,

    CONSTRAINT "erased_files_pkey" PRIMARY KEY ("storage_key")
);

-- CreateTable
CREATE TABLE "erasure_receipts" (
    "account_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "deleted" JSONB NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "erasure_receipts_pkey" PRIMARY KEY ("account_id","hash")
);

-- CreateIndex
CREATE INDEX "end_users_account_id_id_idx" ON "end_users"("account_id", "id");

-- CreateIndex
CREATE INDEX "end_users_erasing_idx" ON "end_users"("erasing_at") WHERE (erasing_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "end_users_account_id_end_user_key" ON "end_users"("account_id", "end_user");

-- CreateIndex
CREATE INDEX "erased_files_account_id_idx" ON "erased_files"("account_id");

-- CreateIndex
CREATE INDEX "erased_files_end_user_id_idx" ON "erased_files"("end_user_id");

-- CreateIndex
-- The notes of an installation are few.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "agent_memories_account_id_end_user_id_idx" ON "agent_memories"("account_id", "end_user", "id") WHERE (end_user <> '');

-- CreateIndex
-- It has no rows yet: the column was added above, so that it is a scan and no more.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "conversations_account_id_end_user_id_idx" ON "conversations"("account_id", "end_user", "id") WHERE (end_user IS NOT NULL);

-- CreateIndex
-- It has no rows yet: the column was added above, so that it is a scan and no more.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "run_usage_account_id_end_user_created_at_idx" ON "run_usage"("account_id", "end_user", "created_at") WHERE (end_user IS NOT NULL);

-- CreateIndex
-- It has no rows yet: the column was added above, so that it is a scan and no more.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "runs_account_id_end_user_id_idx" ON "runs"("account_id", "end_user", "id") WHERE (end_user IS NOT NULL);

-- AddForeignKey
ALTER TABLE "end_users" ADD CONSTRAINT "end_users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
  RETURN QUERY SELECT v_now::timestamptz, v_routed.lanes::text[], v_routed.woken::uuid[],
    v_routed.owners::integer[], NULL::integer, NULL::text;
END $$;

-- prisma/functions/admit_end_user.sql
-- Has something begin, or be kept, for a person: holds their row until the transaction ends, so
-- that their erasure waits for it, or refuses it. `p_estimate`: it is a run that costs so much at
-- first. They are noted as seen then, and where they have a limit a day, their runs are admitted
-- one after another and the estimate must fit. `p_alone`: the transaction goes on to change the
-- row. What it refuses it raises as LR001, as `accept_run` does.
CREATE OR REPLACE FUNCTION admit_end_user(
  p_account uuid,
  p_end_user text,
  p_estimate bigint,
  p_alone boolean
)
RETURNS void
LANGUAGE plpgsql AS $$
-- Nullable: p_estimate.
DECLARE
  v_person end_users;
  v_alone boolean;
  v_room bigint;
BEGIN
  INSERT INTO end_users (id, account_id, end_user)
  SELECT new_id(), p_account, p_end_user
  WHERE NOT EXISTS (
    SELECT 1 FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user)
  ON CONFLICT (account_id, end_user) DO NOTHING;
  SELECT p_alone OR p_estimate IS NOT NULL AND (
      coalesce(e.last_seen_at < now() - interval '1 minute', true)
      OR e.max_credits_per_day_micros IS NOT NULL) INTO v_alone
  FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user;
  -- Never the weaker lock first: two that both wanted more would wait for each other.
  IF v_alone THEN
    SELECT e.* INTO v_person
    FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user FOR NO KEY UPDATE;
  ELSE
    SELECT e.* INTO v_person
    FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user FOR SHARE;
  END IF;
  -- None: their erasure has just come to its end.
  IF v_person.id IS NULL OR v_person.erasing_at IS NOT NULL THEN
    RAISE EXCEPTION 'CONFLICT' USING ERRCODE = 'LR001', DETAIL = '{"erasing": true}';
  END IF;
  IF p_estimate IS NULL OR NOT v_alone THEN
    RETURN;
  END IF;
  UPDATE end_users e SET last_seen_at = now()
  WHERE e.id = v_person.id AND e.account_id = p_account
    AND coalesce(e.last_seen_at < now() - interval '1 minute', true);
  v_room := end_user_room(p_account, p_end_user, NULL);
  IF v_room < p_estimate THEN
    RAISE EXCEPTION 'INSUFFICIENT_CREDITS' USING ERRCODE = 'LR001',
      DETAIL = jsonb_build_object('available', greatest(0, v_room), 'limit', NULL,
        'per_day', v_person.max_credits_per_day_micros);
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
  INSERT INTO run_usage (run_id, step_key, account_id, agent_id, end_user, model, capability,
    input_tokens, output_tokens, cached_input_tokens, units, credits_micros, price_micros)
  VALUES (p_charge.run, p_charge.step_key, p_charge.account, p_charge.agent,
    (SELECT r.end_user FROM runs r WHERE r.id = p_charge.run AND r.account_id = p_charge.account),
    p_charge.model, p_charge.capability, p_charge.input_tokens, p_charge.output_tokens,
    p_charge.cached_input_tokens, p_charge.units, v_paid, p_charge.price);
  INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros)
  VALUES (p_charge.ledger_id, p_charge.account, p_charge.run, 'usage', -v_paid);
  RETURN v_paid;
END $$;

-- prisma/functions/cover_model_call.sql
-- Covers a model call before it is made: moves what is missing from the wallet to the run's hold;
-- nothing where there is less than `p_least`. A run's row comes first, then its person's where
-- they have a limit a day, its hold next, the account last. Gives no row when the run holds nothing
-- any more; `room` is null without a limit.
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
  v_end_user text;
BEGIN
  IF p_root IS NOT NULL THEN
    PERFORM 1 FROM runs
    WHERE id = p_root AND account_id = p_account AND max_credits_micros IS NOT NULL
    FOR NO KEY UPDATE;
  END IF;
  v_end_user := limited_end_user(p_run, p_account);
  SELECT h.amount_micros INTO v_held
  FROM credit_holds h WHERE h.run_id = p_run AND h.account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  room := run_room(p_run, p_account, p_max, p_root);
  IF v_end_user IS NOT NULL THEN
    room := least(room, end_user_room(p_account, v_end_user, p_run));
  END IF;
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

-- prisma/functions/end_user_room.sql
-- What the runs of a person may still cost today (UTC), in millionths of a credit: their limit less
-- what was paid and what their other runs hold; null without a limit.
CREATE OR REPLACE FUNCTION end_user_room(p_account uuid, p_end_user text, p_run uuid)
RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
-- Nullable: p_end_user, p_run.
DECLARE
  v_max bigint;
BEGIN
  SELECT e.max_credits_per_day_micros INTO v_max
  FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user;
  IF v_max IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN v_max
    - (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u
       WHERE u.account_id = p_account AND u.end_user = p_end_user
         AND u.created_at >= date_trunc('day', now(), 'UTC'))
    - (SELECT coalesce(sum(h.amount_micros), 0) FROM credit_holds h JOIN runs r ON r.id = h.run_id
       WHERE h.account_id = p_account AND r.account_id = p_account AND r.end_user = p_end_user
         AND h.run_id IS DISTINCT FROM p_run);
END $$;

-- prisma/functions/limited_end_user.sql
-- The person of a run where they have a limit a day, and null for all others. Locks their row: of
-- two calls that ask for what is left at once, the second sees what the first one took.
CREATE OR REPLACE FUNCTION limited_end_user(p_run uuid, p_account uuid)
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_end_user text;
BEGIN
  SELECT e.end_user INTO v_end_user
  FROM runs r JOIN end_users e ON e.account_id = r.account_id AND e.end_user = r.end_user
  WHERE r.id = p_run AND r.account_id = p_account AND e.max_credits_per_day_micros IS NOT NULL;
  IF FOUND THEN
    PERFORM 1 FROM end_users
    WHERE account_id = p_account AND end_user = v_end_user FOR NO KEY UPDATE;
  END IF;
  RETURN v_end_user;
END $$;

RESET check_function_bodies;
