-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `store_tool_result` with typed arguments, of a result that is private, by
-- JSON.
CREATE OR REPLACE FUNCTION store_private_result(p jsonb, p_lines text, p_conversation uuid)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_tool_result((s ->> 'run')::uuid, r.account_id, s ->> 'tool_call_id',
    (s ->> 'turn')::int, s ->> 'name', (s ->> 'succeeded')::bool, (s ->> 'took_ms')::float8,
    s -> 'output', p_conversation, log_of(p -> 'log', p_lines), result_of(p -> 'fold'))
  FROM (SELECT p -> 'result') AS given(s) LEFT JOIN runs r ON r.id = (s ->> 'run')::uuid
$$;
