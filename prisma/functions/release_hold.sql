-- Gives what a run did not spend back to the wallet. Again: nothing happens.
CREATE OR REPLACE FUNCTION release_hold(p_run uuid)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_account uuid;
  v_amount bigint;
BEGIN
  DELETE FROM credit_holds WHERE run_id = p_run RETURNING account_id, amount_micros
  INTO v_account, v_amount;
  IF v_amount <> 0 THEN
    UPDATE accounts SET available_micros = available_micros + v_amount WHERE id = v_account;
  END IF;
END $$;
