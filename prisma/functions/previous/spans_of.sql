-- Parts of a trace as the release before writes them. The next release drops it.
CREATE OR REPLACE FUNCTION spans_of(p jsonb)
RETURNS span_part[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT s FROM jsonb_populate_recordset(NULL::span_part,
    CASE WHEN jsonb_typeof(p) = 'array' THEN p ELSE '[]' END) s)
$$;
