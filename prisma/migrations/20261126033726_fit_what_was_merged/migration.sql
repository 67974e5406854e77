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
  INSERT INTO run_usage (run_id, step_key, account_id, agent_id, end_user, model, capability,
    input_tokens, output_tokens, cached_input_tokens, units, credits_micros, price_micros)
  VALUES (p_charge.run, p_charge.step_key, p_charge.account, p_charge.agent,
    (SELECT r.end_user FROM runs r WHERE r.id = p_charge.run AND r.account_id = p_charge.account),
    p_charge.model, p_charge.capability, p_charge.input_tokens, p_charge.output_tokens,
    p_charge.cached_input_tokens, p_charge.units, v_paid, p_charge.price);
  INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros)
  VALUES (p_charge.ledger_id, p_charge.account, p_charge.run, 'usage', -v_paid);
  RETURN v_paid;
END $$;

-- prisma/functions/cover_model_call.sql
-- Covers a model call before it is made: moves what is missing from the wallet to the run's hold;
-- nothing where there is less than `p_least`. A run's row comes first, then its person's where
-- they have a limit a day, its hold next, the account last. Gives no row when the run holds nothing
-- any more; `room` is null without a limit.
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
  v_end_user text;
BEGIN
  IF p_root IS NOT NULL THEN
    -- From the uppermost down: who is below the same limit comes one after another.
    PERFORM 1 FROM runs
    WHERE account_id = p_account
      AND id IN (SELECT a.run FROM runs_above(p_root, p_account) a WHERE a.most IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE;
  END IF;
  v_end_user := limited_end_user(p_run, p_account);
  SELECT h.amount_micros INTO v_held
  FROM credit_holds h WHERE h.run_id = p_run AND h.account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  room := run_room(p_run, p_account, p_max, p_root);
  IF v_end_user IS NOT NULL THEN
    room := least(room, end_user_room(p_account, v_end_user, p_run));
  END IF;
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

-- prisma/functions/record_run_event.sql
-- A run has ended, or begins to wait for somebody. What it waits for is told thin: which calls, and
-- not with what. The run that has started it, and waits for it, goes on with that.
CREATE OR REPLACE FUNCTION record_run_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_data jsonb := jsonb_build_object('run_id', NEW.id, 'kind', NEW.kind, 'agent_id', NEW.agent_id,
    'conversation_id', NEW.conversation_id, 'status', NEW.status);
  v_wait jsonb := NEW.requires_action;
BEGIN
  IF NEW.completed_at IS NOT NULL THEN
    PERFORM record_event(NEW.account_id, 'run.' || NEW.status, v_data);
    RETURN NULL;
  END IF;
  IF v_wait ->> 'type' = 'client_tool' THEN
    v_wait := jsonb_build_object('type', 'client_tool', 'calls', (
      SELECT jsonb_agg(c.call - 'arguments' ORDER BY c.place)
      FROM jsonb_array_elements(v_wait -> 'calls') WITH ORDINALITY AS c(call, place)));
  ELSIF v_wait ->> 'type' = 'question' THEN
    v_wait := jsonb_build_object('type', 'question');
  END IF;
  PERFORM record_event(NEW.account_id, 'run.requires_action',
    v_data || jsonb_build_object('requires_action', v_wait));
  IF NEW.parent_run_id IS NOT NULL THEN
    INSERT INTO engine_events (id, name, data, match_values)
    VALUES ('waits:' || new_id(), 'run/waits', json_build_object('run_id', NEW.id)::text,
      ARRAY['"' || NEW.id || '"']);
    PERFORM pg_notify('engine_wake', 'stored');
  END IF;
  RETURN NULL;
END $$;

RESET check_function_bodies;
