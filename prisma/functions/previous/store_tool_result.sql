-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `store_tool_result` with typed arguments, by JSON.
CREATE OR REPLACE FUNCTION store_tool_result(p jsonb, p_lines text)
RETURNS void
LANGUAGE sql AS $$
  SELECT store_private_result(p, p_lines, NULL)
$$;
