-- Whether an event (JSON) has what a wait asks for: a chain of equalities of plain values, which
-- both sides wrote by the same serializer.
CREATE OR REPLACE FUNCTION engine_matches(p_conditions text, p_event json)
RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (
    SELECT coalesce(bool_and(c -> 'path' IS NOT NULL
      AND (p_event #> ARRAY(SELECT json_array_elements_text(c -> 'path')))::text
        IS NOT DISTINCT FROM (c -> 'value')::text), true)
    FROM json_array_elements(p_conditions::json) AS c);
END $$;
