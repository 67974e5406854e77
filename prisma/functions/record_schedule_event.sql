-- A firing of a schedule was skipped.
CREATE OR REPLACE FUNCTION record_schedule_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(NEW.account_id, 'schedule.failed', jsonb_build_object('schedule_id', NEW.id,
    'agent_id', NEW.agent_id, 'code', NEW.last_error ->> 'code'));
  RETURN NULL;
END $$;
