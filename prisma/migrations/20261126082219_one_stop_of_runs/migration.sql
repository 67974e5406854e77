-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/record_run_event.sql
-- A run has ended, or begins to wait for somebody. What it waits for is told thin: which calls, and
-- not with what. The run that has started it, and waits for it, goes on with that (`run/stopped`).
CREATE OR REPLACE FUNCTION record_run_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_data jsonb := jsonb_build_object('run_id', NEW.id, 'kind', NEW.kind, 'agent_id', NEW.agent_id,
    'conversation_id', NEW.conversation_id, 'status', NEW.status);
  v_wait jsonb := NEW.requires_action;
BEGIN
  IF NEW.parent_run_id IS NOT NULL THEN
    INSERT INTO engine_events (id, name, data, match_values)
    VALUES ('stopped:' || new_id(), 'run/stopped', json_build_object('run_id', NEW.id)::text,
      ARRAY['"' || NEW.id || '"']);
    PERFORM pg_notify('engine_wake', 'stored');
  END IF;
  IF NEW.completed_at IS NOT NULL THEN
    PERFORM record_event(NEW.account_id, 'run.' || NEW.status, v_data);
    RETURN NULL;
  END IF;
  IF v_wait ->> 'type' = 'client_tool' THEN
    v_wait := jsonb_build_object('type', 'client_tool', 'calls', (
      SELECT jsonb_agg(c.call - 'arguments' ORDER BY c.place)
      FROM jsonb_array_elements(v_wait -> 'calls') WITH ORDINALITY AS c(call, place)));
  ELSIF v_wait ->> 'type' = 'question' THEN
    v_wait := jsonb_build_object('type', 'question');
  END IF;
  PERFORM record_event(NEW.account_id, 'run.requires_action',
    v_data || jsonb_build_object('requires_action', v_wait));
  RETURN NULL;
END $$;

RESET check_function_bodies;
