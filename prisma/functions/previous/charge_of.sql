-- A charge as the release before writes it. The next release drops it.
CREATE OR REPLACE FUNCTION charge_of(p jsonb)
RETURNS call_charge
LANGUAGE sql STABLE AS $$
  SELECT jsonb_populate_record(NULL::call_charge,
    CASE WHEN jsonb_typeof(p) = 'object' THEN p ELSE '{}' END)
$$;
