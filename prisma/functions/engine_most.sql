-- How many runs may be at work at once under a first key: what is set for it in engine_limits, else
-- what its function says; null for no limit.
CREATE OR REPLACE FUNCTION engine_most(
  p_key text,
  p_function text,
  p_limits function_limit[]
)
RETURNS integer
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_most int;
BEGIN
  SELECT l.most INTO v_most FROM engine_limits l WHERE l.key = p_key;
  IF NOT FOUND THEN
    SELECT l.first INTO v_most FROM unnest(p_limits) l WHERE l.function_id = p_function;
  END IF;
  RETURN v_most;
END $$;
