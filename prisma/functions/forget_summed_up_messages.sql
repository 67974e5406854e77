-- What was said in a run that is deleted is in no summary any more, whichever version of the
-- service deletes it.
CREATE OR REPLACE FUNCTION forget_summed_up_messages()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversation_summaries s USING gone g
  WHERE s.conversation_id = g.conversation_id AND g.position <= s.through_position;
  RETURN NULL;
END $$;
