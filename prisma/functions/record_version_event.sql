-- An agent has a new version, its first too.
CREATE OR REPLACE FUNCTION record_version_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_account uuid;
BEGIN
  SELECT a.account_id INTO v_account FROM agents a WHERE a.id = NEW.agent_id;
  PERFORM record_event(v_account, 'agent.version_created', jsonb_build_object(
    'agent_id', NEW.agent_id, 'version_id', NEW.id, 'number', NEW.number, 'version', NEW.version,
    'source', NEW.source, 'run_id', NEW.run_id));
  RETURN NULL;
END $$;
