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
