-- What cancels those runs: [{id, cancels: [{step_id, event, match_value, conditions}]}]. The next
-- release drops it.
CREATE OR REPLACE FUNCTION cancels_of(p_starts json)
RETURNS engine_cancel[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT ROW(s.id, c.step_id, c.event, c.match_value, c.conditions)::engine_cancel
    FROM json_to_recordset(CASE WHEN json_typeof(p_starts) = 'array' THEN p_starts ELSE '[]' END)
        AS s(id uuid, cancels json),
      json_to_recordset(s.cancels)
        AS c(step_id text, event text, match_value text, conditions text))
$$;
