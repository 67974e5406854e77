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
