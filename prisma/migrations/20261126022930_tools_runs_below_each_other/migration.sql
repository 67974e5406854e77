-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/charge_call.sql
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
      AND id IN (SELECT a.run FROM runs_above(p_charge.root, p_charge.account) a WHERE a.most IS NOT NULL)
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
  INSERT INTO run_usage (run_id, step_key, account_id, agent_id, model, capability, input_tokens,
    output_tokens, cached_input_tokens, units, credits_micros, price_micros)
  VALUES (p_charge.run, p_charge.step_key, p_charge.account, p_charge.agent, p_charge.model,
    p_charge.capability, p_charge.input_tokens, p_charge.output_tokens,
    p_charge.cached_input_tokens, p_charge.units, v_paid, p_charge.price);
  INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros)
  VALUES (p_charge.ledger_id, p_charge.account, p_charge.run, 'usage', -v_paid);
  RETURN v_paid;
END $$;

-- prisma/functions/cover_model_call.sql
-- Covers a model call before it is made: moves what is missing from the wallet to the run's hold;
-- nothing where there is less than `p_least`. A run's row comes first, its hold next, the account
-- last. Gives no row when the run holds nothing any more; `room` is null without a limit.
CREATE OR REPLACE FUNCTION cover_model_call(
  p_run uuid,
  p_account uuid,
  p_max bigint,
  p_root uuid,
  p_least bigint,
  p_most bigint
)
RETURNS TABLE (covered bigint, room bigint)
LANGUAGE plpgsql AS $$
-- Nullable: p_max, p_root, room.
DECLARE
  v_held bigint;
  v_available bigint;
BEGIN
  IF p_root IS NOT NULL THEN
    -- From the uppermost down: who is below the same limit comes one after another.
    PERFORM 1 FROM runs
    WHERE account_id = p_account
      AND id IN (SELECT a.run FROM runs_above(p_root, p_account) a WHERE a.most IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE;
  END IF;
  SELECT h.amount_micros INTO v_held
  FROM credit_holds h WHERE h.run_id = p_run AND h.account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  room := run_room(p_run, p_account, p_max, p_root);
  IF v_held >= least(p_most, coalesce(room, p_most)) THEN
    covered := least(p_most, room, v_held);
    RETURN NEXT;
    RETURN;
  END IF;
  -- `NO KEY`: who stores something new for the account holds the row's key until it has counted its
  -- write.
  SELECT a.available_micros INTO v_available
  FROM accounts a WHERE a.id = p_account FOR NO KEY UPDATE;
  covered := least(p_most, room, v_held + v_available);
  IF covered >= p_least AND covered > v_held THEN
    UPDATE accounts SET available_micros = available_micros - (covered - v_held)
    WHERE id = p_account;
    UPDATE credit_holds SET amount_micros = covered WHERE run_id = p_run AND account_id = p_account;
  END IF;
  RETURN NEXT;
END $$;

-- prisma/functions/run_room.sql
-- What a run may still cost, in millionths of a credit; null without a limit. A run's limit holds
-- for itself and for all below it together, by what they have spent and by what the others hold.
-- `p_max`: the run's own limit; `p_root`: the run whose limit, and those of all above it, hold for
-- this one too; null where it is alone.
CREATE OR REPLACE FUNCTION run_room(p_run uuid, p_account uuid, p_max bigint, p_root uuid)
RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
-- Nullable: p_max, p_root.
DECLARE
  v_room bigint;
  v_above record;
BEGIN
  -- Most runs have no limit of their own, and nothing is to be summed up for them.
  IF p_max IS NULL AND p_root IS NULL THEN
    RETURN NULL;
  END IF;
  IF p_max IS NOT NULL THEN
    SELECT p_max - coalesce(sum(u.credits_micros), 0) INTO v_room
    FROM run_usage u WHERE u.run_id = p_run AND u.account_id = p_account;
  END IF;
  IF p_root IS NULL THEN
    RETURN v_room;
  END IF;
  FOR v_above IN SELECT a.run, a.most FROM runs_above(p_root, p_account) a WHERE a.most IS NOT NULL
  LOOP
    WITH RECURSIVE below AS (
      SELECT v_above.run AS id
      UNION ALL
      SELECT r.id FROM runs r JOIN below b ON r.parent_run_id = b.id WHERE r.account_id = p_account
    )
    SELECT least(v_room, v_above.most
      - (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u JOIN below b ON b.id = u.run_id
         WHERE u.account_id = p_account)
      - (SELECT coalesce(sum(h.amount_micros), 0) FROM credit_holds h
         JOIN below b ON b.id = h.run_id
         WHERE h.account_id = p_account AND h.run_id <> p_run)) INTO v_room;
  END LOOP;
  RETURN v_room;
END $$;

-- prisma/functions/runs_above.sql
-- A run and those above it, from itself upwards, each with what it may cost with all below it, in
-- millionths of a credit: the lesser of its own limit and of its agent's.
CREATE OR REPLACE FUNCTION runs_above(p_run uuid, p_account uuid)
RETURNS TABLE (run uuid, most bigint)
LANGUAGE plpgsql STABLE AS $$
-- Nullable: most.
BEGIN
  RETURN QUERY
    WITH RECURSIVE above AS (
      SELECT r.id, r.parent_run_id, r.agent_id, r.kind, r.max_credits_micros FROM runs r
      WHERE r.id = p_run AND r.account_id = p_account
      UNION ALL
      SELECT r.id, r.parent_run_id, r.agent_id, r.kind, r.max_credits_micros FROM runs r
      JOIN above b ON r.id = b.parent_run_id
      WHERE r.account_id = p_account
    )
    SELECT b.id, least(b.max_credits_micros,
      round((a.config #>> '{limits,max_credits}')::numeric * 1000000)::bigint)
    FROM above b LEFT JOIN agents a
      ON a.id = b.agent_id AND a.account_id = p_account AND b.kind IN ('agent', 'app');
END $$;

RESET check_function_bodies;
