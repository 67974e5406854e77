-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `engine_claim` with typed limits, by JSON.
CREATE OR REPLACE FUNCTION engine_claim(
  p_lane text,
  p_owner integer,
  p_free integer,
  p_limits jsonb
)
RETURNS json
LANGUAGE sql AS $$
  SELECT json_build_object(
    'runs', coalesce(json_agg(json_build_object('id', c.id, 'function_id', c.function_id,
      'attempt', c.attempt, 'wakes', c.wakes, 'failures', c.failures, 'takeovers', c.takeovers,
      'event', json_build_object('id', c.event_id, 'name', c.event_name, 'data', c.event_data,
        'ts', c.event_ms))) FILTER (WHERE c.id IS NOT NULL), '[]'),
    'waiting', bool_or(c.waiting))
  FROM engine_claim(p_lane, p_owner, p_free, ARRAY(
    SELECT ROW(l.key, (l.value ->> 0)::int, (l.value ->> 1)::int)::function_limit
    FROM jsonb_each(p_limits) l)) c
$$;
