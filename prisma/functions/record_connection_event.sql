-- The sign-in of a connection has ended. A person's server stands with whose it is behind a line
-- break.
CREATE OR REPLACE FUNCTION record_connection_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(NEW.account_id, 'connection.needs_sign_in',
    jsonb_build_object('connection_id', NEW.id, 'server_url', split_part(NEW.server_url, E'\n', 1))
      || CASE WHEN NEW.end_user IS NULL THEN '{}'::jsonb
           ELSE jsonb_build_object('end_user', NEW.end_user) END);
  RETURN NULL;
END $$;
