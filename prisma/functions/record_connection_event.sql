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
