-- A result of the engine as the release before writes it: {run, attempt, owner, step?: {id, name,
-- data}}. The next release drops it.
CREATE OR REPLACE FUNCTION result_of(p jsonb)
RETURNS engine_result
LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW((p ->> 'run')::uuid, (p ->> 'attempt')::int, (p ->> 'owner')::int,
    p -> 'step' ->> 'id', p -> 'step' ->> 'name', p -> 'step' ->> 'data')::engine_result
$$;
