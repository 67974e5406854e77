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
