-- Runs that an event starts as the release before writes them: [{id, function_id, lane, key,
-- second_key, cancels}]. The next release drops it.
CREATE OR REPLACE FUNCTION starts_of(p_starts json)
RETURNS engine_start[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT s FROM json_populate_recordset(NULL::engine_start,
    CASE WHEN json_typeof(p_starts) = 'array' THEN p_starts ELSE '[]' END) s)
$$;
