-- A batch of lines as the release before writes it: {run, writer, first, last, closes, message,
-- todo}. `message` null where no message stands open any more. The next release drops it.
CREATE OR REPLACE FUNCTION log_of(p jsonb, p_lines text)
RETURNS log_batch
LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW((p ->> 'run')::uuid, (p ->> 'writer')::int, (p ->> 'first')::int,
    (p ->> 'last')::int, (p ->> 'closes')::bool, (p ->> 'message')::uuid,
    p ? 'message' AND p ->> 'message' IS NULL, p -> 'todo', p_lines)::log_batch
$$;
