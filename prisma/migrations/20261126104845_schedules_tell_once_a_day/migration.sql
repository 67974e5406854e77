-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/record_schedule_event.sql
-- A firing of a schedule could not start, or its run has failed. Its owners are told by the bell,
-- and by mail where there is any, of the first failure in a row, once a day, and where the last one
-- has paused the schedule, which the event says too.
CREATE OR REPLACE FUNCTION record_schedule_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_paused boolean := NEW.paused_at IS DISTINCT FROM OLD.paused_at;
  -- A process of the release before counts nothing.
  v_failure jsonb := CASE WHEN NEW.failures > OLD.failures
    THEN NEW.last_failure ELSE NEW.last_error END;
  v_path text := '/agents/' || NEW.agent_id || '?tab=schedules';
  v_name text;
BEGIN
  PERFORM record_event(NEW.account_id, 'schedule.failed', jsonb_build_object('schedule_id', NEW.id,
    'agent_id', NEW.agent_id, 'run_id', v_failure ->> 'run_id', 'code', v_failure ->> 'code',
    'failures', NEW.failures, 'paused', v_paused));
  IF NOT v_paused AND (OLD.failures <> 0 OR NEW.failures <> 1 OR EXISTS (
      SELECT 1 FROM notifications n
      WHERE n.account_id = NEW.account_id AND starts_with(n.key, 'schedule:' || NEW.id || ':')
        AND n.created_at > now() - interval '1 day')) THEN
    RETURN NULL;
  END IF;
  SELECT a.name INTO v_name FROM agents a
  WHERE a.id = NEW.agent_id AND a.account_id = NEW.account_id;
  IF v_paused THEN
    PERFORM notify_owners(NEW.account_id, 'schedule-paused:' || NEW.id, v_path,
      'A schedule was paused',
      format('%s is not run by the clock (%s) any more until you switch it on again. %s',
        v_name, NEW.cron, NEW.paused_reason));
  ELSE
    PERFORM notify_owners(NEW.account_id, 'schedule:' || NEW.id, v_path, 'A schedule has failed',
      format('%s, run by the clock (%s), failed with %s: %s It goes on; you are told again when it '
        'is paused.', v_name, NEW.cron, v_failure ->> 'code',
        coalesce(v_failure ->> 'message', 'its run failed.')));
  END IF;
  RETURN NULL;
END $$;

RESET check_function_bodies;
