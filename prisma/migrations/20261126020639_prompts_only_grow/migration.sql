-- contract: the release before calls begin_turn and store_turn by JSON, and knows neither
-- begin_model_turn nor model_turn.

-- AlterTable
ALTER TABLE "run_turns" ADD COLUMN     "counted_tokens" INTEGER,
ADD COLUMN     "told" JSONB;

-- CreateTable
CREATE TABLE "run_prompts" (
    "run_id" UUID NOT NULL,
    "turn" INTEGER NOT NULL,
    "account_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_prompts_pkey" PRIMARY KEY ("run_id","turn")
);

-- CreateTable
CREATE TABLE "prompts" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "system" TEXT NOT NULL,
    "tools" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prompts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "run_prompts_account_id_hash_idx" ON "run_prompts"("account_id", "hash");

-- CreateIndex
CREATE UNIQUE INDEX "prompts_account_id_hash_key" ON "prompts"("account_id", "hash");

-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/types/model_turn.sql
ALTER TYPE model_turn ADD ATTRIBUTE told jsonb, ADD ATTRIBUTE counted_tokens integer;
COMMENT ON TYPE model_turn IS
  'nullable: agent_version_id, took_ms, first_token_ms, reasoning_tokens, request_id, told,
  counted_tokens';

-- prisma/types/run_prompt_part.sql
-- What a run's model is shown from a turn on, and the version of the agent that it was made of.
CREATE TYPE run_prompt_part AS (
  turn integer,
  hash text,
  system text,
  tools text,
  agent_version integer
);
COMMENT ON TYPE run_prompt_part IS
  'nullable: agent_version';

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
    (p -> 'cover' ->> 'most')::bigint, NULL::run_prompt_part) t
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
    p -> 'call' ->> 'request_id', NULL::jsonb, NULL::int)::model_turn
$$;

-- prisma/functions/begin_model_turn.sql
-- Begins a turn: takes the log (`p_writer` null) or proves that it is still the caller's, moves a
-- pending run to work, and covers the first call (`cover_model_call`). `status` is `closed` where
-- the log has had its last line. Raises LT002 when the log has another writer.
--
-- `p_prompt`: what the run's model is shown from this turn on, and the version that the run keeps
-- to. Its text is stored once; where it is swept at this very moment, the run freezes it anew with
-- its next turn.
CREATE OR REPLACE FUNCTION begin_model_turn(
  p_run uuid,
  p_account uuid,
  p_process integer,
  p_writer integer,
  p_max bigint,
  p_root uuid,
  p_least bigint,
  p_most bigint,
  p_prompt run_prompt_part
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
-- Nullable: p_process, p_writer, p_max, p_root, p_prompt, writer, next, open_message, spent, holds,
-- covered, room.
BEGIN
  -- What is lost with the server is done again by whoever takes the run up.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE runs r SET status = 'running', started_at = now(),
    agent_version = coalesce(r.agent_version, p_prompt.agent_version)
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
    IF p_prompt.hash IS NOT NULL THEN
      INSERT INTO prompts (id, account_id, hash, system, tools)
      VALUES (new_id(), p_account, p_prompt.hash, p_prompt.system, p_prompt.tools)
      ON CONFLICT (account_id, hash) DO NOTHING;
      INSERT INTO run_prompts (run_id, turn, account_id, hash)
      VALUES (p_run, p_prompt.turn, p_account, p_prompt.hash)
      ON CONFLICT (run_id, turn) DO UPDATE SET hash = excluded.hash;
      -- A run that the release before began.
      UPDATE runs r SET agent_version = p_prompt.agent_version
      WHERE r.id = p_run AND r.account_id = p_account AND r.agent_version IS NULL
        AND p_prompt.agent_version IS NOT NULL;
    END IF;
    SELECT c.covered, c.room INTO covered, room
    FROM cover_model_call(p_run, p_account, p_max, p_root, p_least, p_most) c;
    holds := FOUND;
  END IF;
  SELECT coalesce(sum(u.credits_micros), 0) INTO spent
  FROM run_usage u WHERE u.run_id = p_run AND u.account_id = p_account;
  RETURN NEXT;
END $$;

-- prisma/functions/store_model_turn.sql
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

DROP FUNCTION begin_model_turn(uuid,uuid,integer,integer,bigint,uuid,bigint,bigint);

RESET check_function_bodies;
