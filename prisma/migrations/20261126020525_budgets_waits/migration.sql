-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "credits_awaited_micros" BIGINT;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "max_is_raised" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "on_budget" TEXT;

-- AlterTable
ALTER TABLE "schedules" ADD COLUMN     "on_budget" TEXT;

-- CreateTable
CREATE TABLE "budget_waits" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "root_run_id" UUID,
    "of_wait" UUID,
    "kind" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "tool_call_id" TEXT,
    "least_micros" BIGINT NOT NULL,
    "agent_max_micros" BIGINT,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "shown" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "budget_waits_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "budget_waits_run_id_idx" ON "budget_waits"("run_id");

-- CreateIndex
CREATE INDEX "budget_waits_waiting" ON "budget_waits"("account_id") WHERE (status = 'waiting');

-- CreateIndex
CREATE INDEX "budget_waits_of_wait_idx" ON "budget_waits"("of_wait");

-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/begin_budget_wait.sql
-- Has a run wait until its limit, or its account, covers its next call: the wait, what the run says
-- that it requires, and what it holds, which goes back to the wallet, together. A super-agent's run
-- that started it says the same. `asked`: it waits; `settled`: there is enough by now, or this wait
-- is over; `ended`: the run is. Repeated, it changes nothing (`is_new`). Rows are locked in the order
-- in which a call is covered: run, super-agent's run, hold, account.
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
    outcome := 'settled';
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

-- prisma/functions/budget_lack.sql
-- What a run lacks for its next call, and what is said of it: the run's limit (or the super-agent's,
-- whose run is named then) where that leaves less than `p_least`, else the account's credits. No row
-- where nothing is lacking. `required`: the limit, or the account's credits, that would do.
-- `root_action`: the same in the words of the super-agent's run. Whoever calls holds the locks.
CREATE OR REPLACE FUNCTION budget_lack(
  p_run uuid,
  p_account uuid,
  p_agent_max bigint,
  p_root uuid,
  p_least bigint
)
RETURNS TABLE (kind text, action jsonb, root_action jsonb)
LANGUAGE plpgsql STABLE AS $$
-- Nullable: p_agent_max, p_root.
DECLARE
  v_run runs;
  v_max bigint;
  v_room bigint;
  v_own_room bigint;
  v_root_max bigint;
  v_has bigint;
  v_spent bigint;
  v_is_root boolean;
BEGIN
  SELECT * INTO v_run FROM runs r WHERE r.id = p_run AND r.account_id = p_account;
  -- Of a child that waits its super-agent's limit alone holds, not what that left as it began.
  v_max := CASE WHEN v_run.max_is_raised THEN v_run.max_credits_micros
    ELSE least(CASE WHEN v_run.parent_run_id IS NULL THEN v_run.max_credits_micros END,
      p_agent_max) END;
  v_own_room := run_room(p_run, p_account, v_max, NULL);
  v_room := run_room(p_run, p_account, v_max, p_root);
  SELECT a.available_micros + h.amount_micros INTO v_has
  FROM credit_holds h JOIN accounts a ON a.id = h.account_id
  WHERE h.run_id = p_run AND h.account_id = p_account;
  IF v_room >= p_least OR v_room IS NULL THEN
    IF v_has >= p_least THEN
      RETURN;
    END IF;
    kind := 'credits';
  ELSE
    kind := 'budget';
  END IF;
  v_is_root := p_root IS NOT NULL AND (p_root = p_run
    OR (kind = 'budget' AND (v_own_room IS NULL OR v_own_room >= p_least)));
  IF v_is_root THEN
    SELECT r.max_credits_micros INTO v_root_max
    FROM runs r WHERE r.id = p_root AND r.account_id = p_account;
  END IF;
  SELECT coalesce(sum(u.credits_micros), 0) INTO v_spent
  FROM run_usage u JOIN runs r ON r.id = u.run_id
  WHERE r.account_id = p_account
    AND (r.id = p_run OR (v_is_root AND (r.id = p_root OR r.parent_run_id = p_root)));
  v_max := CASE WHEN v_is_root THEN v_root_max ELSE v_max END;
  root_action := jsonb_build_object(
    'type', kind,
    'spent', trim_scale(v_spent / 1000000.0),
    'required', trim_scale(CASE kind WHEN 'credits' THEN p_least
      WHEN 'budget' THEN v_max - CASE WHEN v_is_root THEN v_room ELSE v_own_room END + p_least
      END / 1000000.0),
    'max_credits', trim_scale(v_max / 1000000.0));
  action := root_action;
  IF kind = 'budget' AND p_root <> p_run THEN
    IF v_is_root THEN
      action := action || jsonb_build_object('run_id', p_root);
    ELSE
      root_action := root_action || jsonb_build_object('run_id', p_run);
    END IF;
  END IF;
  RETURN NEXT;
END $$;

-- prisma/functions/credits_awaited.sql
-- An account has what one of its runs waits for (the trigger's condition). Which of them go on is
-- looked at by the engine, since their rows come before the account's. The event is stored, not
-- routed, as those of deliveries are (`record_event`).
CREATE OR REPLACE FUNCTION credits_awaited()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.credits_awaited_micros := NULL;
  INSERT INTO engine_events (id, name, data)
  VALUES (new_id(), 'budget/changed', json_build_object('account_id', NEW.id)::text);
  PERFORM pg_notify('engine_wake', 'stored');
  RETURN NEW;
END $$;

-- prisma/functions/decide_budget_wait.sql
-- Ends a wait for credits, and the one that stands for it in a super-agent's run: what such a run
-- requires, unless something else of it waits too. What it has waited does not count against its
-- time; waits side by side count once. Whoever calls holds the run's lock. False where it had ended
-- before.
CREATE OR REPLACE FUNCTION decide_budget_wait(p_wait uuid, p_account uuid, p_status text)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_wait budget_waits;
BEGIN
  FOR v_wait IN
    UPDATE budget_waits SET status = p_status, decided_at = clock_timestamp()
    WHERE (id = p_wait OR of_wait = p_wait) AND account_id = p_account AND status = 'waiting'
    RETURNING *
  LOOP
    UPDATE budget_waits SET created_at = least(created_at, v_wait.created_at)
    WHERE run_id = v_wait.run_id AND account_id = p_account AND status = 'waiting';
    CONTINUE WHEN FOUND;
    UPDATE runs SET
      requires_action = CASE WHEN requires_action ->> 'type' NOT IN ('budget', 'credits')
        THEN requires_action END,
      queued_ms = least(2147483647, queued_ms
        + extract(epoch FROM v_wait.decided_at - v_wait.created_at) * 1000)::integer
    WHERE id = v_wait.run_id AND account_id = p_account;
  END LOOP;
  RETURN FOUND;
END $$;

-- prisma/functions/end_budget_waits.sql
-- A run that waited for credits has ended: nothing waits for it any more.
CREATE OR REPLACE FUNCTION end_budget_waits()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM decide_budget_wait(w.id, NEW.account_id, 'expired') FROM budget_waits w
  WHERE w.run_id = NEW.id AND w.account_id = NEW.account_id AND w.status = 'waiting';
  RETURN NULL;
END $$;

-- prisma/functions/review_budget_wait.sql
-- Has a run that waits for credits go on where they are there by now: what its next turn costs at
-- least is held for it, so that nobody takes it on the way (a call of a tool may pay for a run of its
-- own, from the wallet). Else it says what it lacks now, and waits on. Gives whether it goes on by
-- this. Locks as `begin_budget_wait`.
CREATE OR REPLACE FUNCTION review_budget_wait(p_wait uuid, p_account uuid)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_wait budget_waits;
  v_held bigint;
  v_lack record;
BEGIN
  SELECT * INTO v_wait FROM budget_waits
  WHERE id = p_wait AND account_id = p_account AND of_wait IS NULL AND status = 'waiting';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM runs
  WHERE id = v_wait.run_id AND account_id = p_account AND status = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM budget_waits
  WHERE id = p_wait AND account_id = p_account AND status = 'waiting';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF v_wait.root_run_id <> v_wait.run_id THEN
    PERFORM 1 FROM runs
    WHERE id = v_wait.root_run_id AND account_id = p_account FOR NO KEY UPDATE;
  END IF;
  SELECT h.amount_micros INTO v_held
  FROM credit_holds h WHERE h.run_id = v_wait.run_id AND h.account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  SELECT * INTO v_lack FROM budget_lack(v_wait.run_id, p_account, v_wait.agent_max_micros,
    v_wait.root_run_id, v_wait.least_micros);
  IF FOUND THEN
    UPDATE runs SET requires_action = v_lack.action
    WHERE id = v_wait.run_id AND account_id = p_account
      AND requires_action IS DISTINCT FROM v_lack.action;
    UPDATE budget_waits SET kind = v_lack.kind
    WHERE (id = p_wait OR of_wait = p_wait) AND account_id = p_account AND kind <> v_lack.kind;
    UPDATE runs r SET requires_action = v_lack.root_action
    WHERE r.id = v_wait.root_run_id AND r.id <> v_wait.run_id AND r.account_id = p_account
      AND r.requires_action ->> 'type' IN ('budget', 'credits')
      AND NOT EXISTS (SELECT 1 FROM budget_waits w WHERE w.run_id = r.id
        AND w.status = 'waiting' AND w.of_wait IS DISTINCT FROM p_wait);
    IF v_lack.kind = 'credits' THEN
      UPDATE accounts
      SET credits_awaited_micros = least(credits_awaited_micros, v_wait.least_micros)
      WHERE id = p_account;
    END IF;
    RETURN false;
  END IF;
  IF v_wait.tool_call_id IS NULL AND v_held < v_wait.least_micros THEN
    UPDATE accounts SET available_micros = available_micros - (v_wait.least_micros - v_held)
    WHERE id = p_account;
    UPDATE credit_holds SET amount_micros = v_wait.least_micros
    WHERE run_id = v_wait.run_id AND account_id = p_account;
  END IF;
  RETURN decide_budget_wait(p_wait, p_account, 'raised');
END $$;

RESET check_function_bodies;

-- A run that waits for credits and has ended has nothing waiting for it.
CREATE TRIGGER "runs_ended_waiting" AFTER UPDATE OF status ON "runs" FOR EACH ROW
WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL AND OLD.requires_action ->> 'type' IN ('budget', 'credits'))
EXECUTE FUNCTION end_budget_waits();

CREATE TRIGGER "accounts_credits_awaited" BEFORE UPDATE OF available_micros ON "accounts" FOR EACH ROW
WHEN (NEW.available_micros >= OLD.credits_awaited_micros AND NEW.available_micros > OLD.available_micros)
EXECUTE FUNCTION credits_awaited();

-- A limit that was raised, and is too little still, is no other wait.
DROP TRIGGER "runs_wait" ON "runs";
CREATE TRIGGER "runs_wait" AFTER UPDATE OF requires_action ON "runs" FOR EACH ROW
WHEN (NEW.requires_action IS NOT NULL AND NEW.completed_at IS NULL
  AND (OLD.requires_action IS NULL OR NEW.requires_action - '{calls,spent,max_credits}'::text[] IS DISTINCT FROM OLD.requires_action - '{calls,spent,max_credits}'::text[]))
EXECUTE FUNCTION record_run_event();
