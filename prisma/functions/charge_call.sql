-- Settles one model call: usage, ledger, hold and wallet together, so that they always agree.
-- What neither the wallet nor the run's limit covers is not charged: it is the operator's loss,
-- to be seen by the row's price. What the hold has left beyond `keep` goes back to the wallet.
-- Does nothing for a call that is settled already, nor for a run that holds nothing any more.
-- Gives what was paid, in millionths of a credit.
CREATE OR REPLACE FUNCTION charge_call(p_charge call_charge)
RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  v_held bigint;
  v_paid bigint;
  v_kept bigint;
  v_available bigint;
  v_room bigint;
  v_end_user text;
  v_key uuid;
BEGIN
  SELECT credits_micros INTO v_paid
  FROM run_usage
  WHERE run_id = p_charge.run AND account_id = p_charge.account AND step_key = p_charge.step_key;
  IF FOUND THEN
    RETURN v_paid;
  END IF;
  IF p_charge.root IS NOT NULL THEN
    -- From the uppermost down: who is below the same limit comes one after another.
    PERFORM 1 FROM runs
    WHERE account_id = p_charge.account
      AND id IN (SELECT a.run FROM runs_above(p_charge.root, p_charge.account) a
        WHERE a.most IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE;
  END IF;
  SELECT amount_micros INTO v_held FROM credit_holds
  WHERE run_id = p_charge.run AND account_id = p_charge.account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  v_room := run_room(p_charge.run, p_charge.account, p_charge.max, p_charge.root);
  SELECT available_micros INTO v_available
  FROM accounts WHERE id = p_charge.account FOR NO KEY UPDATE;
  v_paid := greatest(0, least(p_charge.price, v_room, v_held + v_available));
  v_kept := least(greatest(0, v_held - v_paid), p_charge.keep);
  UPDATE credit_holds SET amount_micros = v_kept
  WHERE run_id = p_charge.run AND account_id = p_charge.account;
  UPDATE accounts SET available_micros = available_micros + v_held - v_paid - v_kept
  WHERE id = p_charge.account;
  SELECT r.end_user, r.key_id INTO v_end_user, v_key
  FROM runs r WHERE r.id = p_charge.run AND r.account_id = p_charge.account;
  INSERT INTO run_usage (run_id, step_key, account_id, agent_id, end_user, key_id, model,
    capability, input_tokens, output_tokens, cached_input_tokens, units, credits_micros,
    price_micros)
  VALUES (p_charge.run, p_charge.step_key, p_charge.account, p_charge.agent,
    v_end_user, v_key, p_charge.model, p_charge.capability, p_charge.input_tokens,
    p_charge.output_tokens, p_charge.cached_input_tokens, p_charge.units, v_paid, p_charge.price);
  INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros)
  VALUES (p_charge.ledger_id, p_charge.account, p_charge.run, 'usage', -v_paid);
  RETURN v_paid;
END $$;
