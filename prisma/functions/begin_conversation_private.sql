-- A new conversation stands behind its first run: it has seen what is private where that begins
-- with it.
CREATE OR REPLACE FUNCTION begin_conversation_private()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.seen_private := NEW.seen_private OR EXISTS (
    SELECT 1 FROM runs r
    WHERE r.id = NEW.active_run_id AND r.account_id = NEW.account_id AND begins_private(r));
  RETURN NEW;
END $$;
