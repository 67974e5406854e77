-- Of the release before, whose processes call it while this one is rolled out; the next release
-- drops it. The same as `charge_call(call_charge)`, by JSON.
CREATE OR REPLACE FUNCTION charge_call(p jsonb)
RETURNS bigint
LANGUAGE sql AS $$
  SELECT charge_call(charge_of(p))
$$;
