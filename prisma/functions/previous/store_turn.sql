-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `store_turn` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION store_turn(p jsonb, p_lines text)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_turn(turn_of((p -> 'turn' ->> 'run')::uuid, p -> 'turn'),
    spans_of(p -> 'turn' -> 'spans'), charge_of(p -> 'charge'), (p ->> 'paid')::bigint,
    log_of(p -> 'log', p_lines), result_of(p -> 'fold'))
$$;
