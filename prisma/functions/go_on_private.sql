-- A conversation that goes on has its row written, and so held, by the same acceptance before: it
-- has seen what is private from its next run on, where that begins with it.
CREATE OR REPLACE FUNCTION go_on_private()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations SET seen_private = true
  WHERE id = NEW.conversation_id AND account_id = NEW.account_id AND NOT seen_private
    AND begins_private(NEW);
  RETURN NULL;
END $$;
