-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/notify_owners.sql
-- Tells an account's owners by the bell, and by mail where there is any and they want it. `p_key`:
-- what it tells of; each call is another notification. Its event is stored, not routed, as those of
-- `record_event`.
CREATE OR REPLACE FUNCTION notify_owners(
  p_account uuid,
  p_key text,
  p_path text,
  p_title text,
  p_body text
)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_notification uuid := new_id();
BEGIN
  INSERT INTO notifications (id, account_id, key, path, title, body)
  VALUES (v_notification, p_account, p_key || ':' || v_notification, p_path, p_title,
    left(p_body, 2000));
  INSERT INTO engine_events (id, name, data)
  VALUES (v_notification, 'notification/created',
    json_build_object('notification_id', v_notification)::text);
  PERFORM pg_notify('engine_wake', 'stored');
END $$;

-- prisma/functions/record_connection_event.sql
-- The sign-in of a connection has ended. A person's server stands with whose it is behind a line
-- break. The bell tells of the account's own: a person's is for that one to renew, by a link that
-- the account's backend hands on.
CREATE OR REPLACE FUNCTION record_connection_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(NEW.account_id, 'connection.needs_sign_in',
    jsonb_build_object('connection_id', NEW.id, 'server_url', split_part(NEW.server_url, E'\n', 1))
      || CASE WHEN NEW.end_user IS NULL THEN '{}'::jsonb
           ELSE jsonb_build_object('end_user', NEW.end_user) END);
  IF NEW.end_user IS NULL THEN
    PERFORM notify_owners(NEW.account_id, 'connection:' || NEW.id, '/connections',
      'A connection needs a new sign-in',
      format('The sign-in to %s has ended. Agents go without its tools until somebody signs in '
        'again.', substring(NEW.server_url FROM '^[^:]+://([^/?#]+)')));
  END IF;
  RETURN NULL;
END $$;

-- prisma/functions/record_credits_event.sql
-- The credits of an account run low. Told once a day, however often holds are taken and given back
-- around the bound (the trigger's condition), by the bell too.
CREATE OR REPLACE FUNCTION record_credits_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_available numeric := round(NEW.available_micros / 1000000.0, 6);
BEGIN
  NEW.credits_low_at := now();
  PERFORM record_event(NEW.id, 'account.credits_low',
    jsonb_build_object('available_credits', v_available));
  PERFORM notify_owners(NEW.id, 'credits:' || NEW.id, '/usage', 'The account''s credits run low',
    format('%s credits are left, beside what runs at work hold. Runs that they do not cover are '
      'refused, fail, or wait.', trim_scale(v_available)));
  RETURN NEW;
END $$;

-- prisma/functions/record_schedule_event.sql
-- A firing of a schedule could not start, or its run has failed. Its owners are told by the bell,
-- and by mail where there is any, of the first failure in a row, and where the last one has paused
-- the schedule, which the event says too.
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
  IF NOT v_paused AND NOT (OLD.failures = 0 AND NEW.failures = 1) THEN
    RETURN NULL;
  END IF;
  SELECT a.name INTO v_name FROM agents a
  WHERE a.id = NEW.agent_id AND a.account_id = NEW.account_id;
  IF v_paused THEN
    PERFORM notify_owners(NEW.account_id, 'schedule:' || NEW.id, v_path, 'A schedule was paused',
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
