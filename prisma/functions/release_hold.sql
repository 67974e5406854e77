-- Gives what a run did not spend back to the wallet. Again: nothing happens.
CREATE OR REPLACE FUNCTION release_hold(p_run uuid)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH gone AS (
    DELETE FROM credit_holds WHERE run_id = p_run RETURNING account_id, amount_micros
  )
  UPDATE accounts a SET available_micros = a.available_micros + gone.amount_micros
  FROM gone WHERE a.id = gone.account_id AND gone.amount_micros <> 0;
END $$;
