-- Gives what a run did not spend back to the wallet. Again: nothing happens.
CREATE OR REPLACE FUNCTION release_hold(p_run uuid)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_hold credit_holds;
BEGIN
  DELETE FROM credit_holds WHERE run_id = p_run RETURNING * INTO v_hold;
  IF v_hold.amount_micros <> 0 THEN
    UPDATE accounts SET available_micros = available_micros + v_hold.amount_micros
    WHERE id = v_hold.account_id;
  END IF;
END $$;
