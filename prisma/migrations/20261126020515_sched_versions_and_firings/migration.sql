-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "agent_version" INTEGER;

-- AlterTable
ALTER TABLE "schedules" ADD COLUMN     "agent_version" INTEGER,
ADD COLUMN     "failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_failure" JSONB,
ADD COLUMN     "max_credits" DOUBLE PRECISION,
ADD COLUMN     "paused_at" TIMESTAMPTZ(3),
ADD COLUMN     "paused_reason" TEXT,
ADD COLUMN     "version" JSONB,
ADD COLUMN     "webhook_url" TEXT;

-- CreateTable
CREATE TABLE "schedule_firings" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "fired_at" TIMESTAMPTZ(3) NOT NULL,
    "trigger" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "run_id" UUID,
    "refusal" JSONB,

    CONSTRAINT "schedule_firings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "schedule_firings_schedule_id_id_idx" ON "schedule_firings"("schedule_id", "id");

-- CreateIndex
CREATE INDEX "schedule_firings_account_id_idx" ON "schedule_firings"("account_id");

-- CreateIndex
CREATE INDEX "schedule_firings_run_id_idx" ON "schedule_firings"("run_id");

-- AddForeignKey
ALTER TABLE "schedule_firings" ADD CONSTRAINT "schedule_firings_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedules"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/begin_model_turn.sql
-- Begins a turn: takes the log (`p_writer` null) or proves that it is still the caller's, moves a
-- pending run to work, with the version that its agent has now unless it keeps to another, and
-- covers the first call (`cover_model_call`). `status` is `closed` where the log has had its last
-- line. Raises LT002 when the log has another writer.
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
  UPDATE runs r SET status = 'running', started_at = now(),
    agent_version = coalesce(r.agent_version, (SELECT v.number
      FROM agents a JOIN agent_versions v ON v.id = a.current_version_id
      WHERE a.id = r.agent_id AND a.account_id = r.account_id))
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

-- prisma/functions/count_schedule_run.sql
-- The run of a schedule's firing has ended: a failure counts, a success begins the count anew. One
-- that was cancelled is neither. What its error says stays with the run, and goes with it.
CREATE OR REPLACE FUNCTION count_schedule_run()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'failed' THEN
    UPDATE schedules SET failures = failures + 1,
      last_failure = jsonb_build_object('code', NEW.error ->> 'code', 'run_id', NEW.id)
    WHERE id = NEW.schedule_id AND account_id = NEW.account_id;
  ELSIF NEW.status = 'completed' THEN
    UPDATE schedules SET failures = 0
    WHERE id = NEW.schedule_id AND account_id = NEW.account_id AND failures > 0;
  END IF;
  RETURN NULL;
END $$;

-- prisma/functions/pause_failing_schedule.sql
-- Ten failures in a row (`SCHEDULE_FAILURES_MAX`) switch a schedule off, and stand on it as the
-- reason.
CREATE OR REPLACE FUNCTION pause_failing_schedule()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.enabled AND NEW.failures >= 10 THEN
    NEW.enabled := false;
    NEW.next_run_at := NULL;
    NEW.paused_at := now();
    NEW.paused_reason := format('%s firings in a row failed, the last one with %s: %s',
      NEW.failures, NEW.last_failure ->> 'code',
      coalesce(NEW.last_failure ->> 'message', 'its run failed.'));
    NEW.updated_at := now();
  END IF;
  RETURN NEW;
END $$;

-- prisma/functions/record_run_event.sql
-- A run has ended, or begins to wait for somebody. What it waits for is told thin: which calls, and
-- not with what. The run that has started it, and waits for it, goes on with that.
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
  END IF;
  PERFORM record_event(NEW.account_id, 'run.requires_action',
    v_data || jsonb_build_object('requires_action', v_wait));
  IF NEW.parent_run_id IS NOT NULL THEN
    INSERT INTO engine_events (id, name, data, match_values)
    VALUES ('waits:' || new_id(), 'run/waits', json_build_object('run_id', NEW.id)::text,
      ARRAY['"' || NEW.id || '"']);
    PERFORM pg_notify('engine_wake', 'stored');
  END IF;
  RETURN NULL;
END $$;

-- prisma/functions/record_schedule_event.sql
-- A firing of a schedule could not start, or its run has failed; where that has paused the
-- schedule, the event says so, and its owners are told by the bell, and by mail where there is any.
CREATE OR REPLACE FUNCTION record_schedule_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_paused boolean := NEW.paused_at IS DISTINCT FROM OLD.paused_at;
  -- A process of the release before counts nothing.
  v_failure jsonb := CASE WHEN NEW.failures > OLD.failures
    THEN NEW.last_failure ELSE NEW.last_error END;
  v_notification uuid := new_id();
  v_name text;
BEGIN
  PERFORM record_event(NEW.account_id, 'schedule.failed', jsonb_build_object('schedule_id', NEW.id,
    'agent_id', NEW.agent_id, 'run_id', v_failure ->> 'run_id', 'code', v_failure ->> 'code',
    'failures', NEW.failures, 'paused', v_paused));
  IF NOT v_paused THEN
    RETURN NULL;
  END IF;
  SELECT a.name INTO v_name FROM agents a
  WHERE a.id = NEW.agent_id AND a.account_id = NEW.account_id;
  INSERT INTO notifications (id, account_id, key, path, title, body)
  VALUES (v_notification, NEW.account_id, 'schedule:' || NEW.id || ':' || v_notification,
    '/agents/' || NEW.agent_id || '?tab=schedules', 'A schedule was paused',
    left(format('%s is not run by the clock (%s) any more until you switch it on again. %s',
      v_name, NEW.cron, NEW.paused_reason), 2000));
  INSERT INTO engine_events (id, name, data)
  VALUES (v_notification, 'notification/created',
    json_build_object('notification_id', v_notification)::text);
  PERFORM pg_notify('engine_wake', 'stored');
  RETURN NULL;
END $$;

RESET check_function_bodies;

CREATE TRIGGER "schedules_pause" BEFORE UPDATE OF failures ON "schedules" FOR EACH ROW
WHEN (NEW.failures > OLD.failures) EXECUTE FUNCTION pause_failing_schedule();

-- A process of the release before counts no failures: of its firings those that were skipped are told,
-- and not those that only wait, which keep their time.
CREATE OR REPLACE TRIGGER "schedules_skipped" AFTER UPDATE OF last_error, failures ON "schedules" FOR EACH ROW
WHEN (NEW.failures > OLD.failures OR (NEW.failures = OLD.failures AND NEW.last_error IS NOT NULL
  AND NEW.next_run_at IS DISTINCT FROM OLD.next_run_at)) EXECUTE FUNCTION record_schedule_event();

CREATE TRIGGER "runs_of_schedules_ended" AFTER UPDATE OF status ON "runs" FOR EACH ROW
WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL AND NEW.schedule_id IS NOT NULL)
EXECUTE FUNCTION count_schedule_run();
