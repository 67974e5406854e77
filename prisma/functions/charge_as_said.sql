-- `charge_call`, whose lines say already what was paid. Raises LT003 with the true amount as its
-- detail where that comes out otherwise: what can be paid changes while other runs of the account
-- pay.
CREATE OR REPLACE FUNCTION charge_as_said(p_charge call_charge, p_paid bigint)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_paid bigint := charge_call(p_charge);
BEGIN
  IF v_paid <> p_paid THEN
    RAISE EXCEPTION 'the charge came out otherwise' USING ERRCODE = 'LT003', DETAIL = v_paid;
  END IF;
END $$;
