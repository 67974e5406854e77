-- The sign-in of a connection has ended.
CREATE OR REPLACE FUNCTION record_connection_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(NEW.account_id, 'connection.needs_sign_in',
    jsonb_build_object('connection_id', NEW.id, 'server_url', NEW.server_url));
  RETURN NULL;
END $$;
