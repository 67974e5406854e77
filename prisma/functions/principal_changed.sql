-- Processes keep what they know of keys for a moment; this is how they hear that it is otherwise.
CREATE OR REPLACE FUNCTION principal_changed()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('principal_changed', CASE WHEN TG_TABLE_NAME = 'accounts'
    THEN to_jsonb(OLD) ->> 'id' ELSE to_jsonb(OLD) ->> 'account_id' END);
  RETURN NULL;
END $$;
