-- Has something begin, or be kept, for a person: holds their row until the transaction ends, so
-- that their erasure waits for it, or refuses it. `p_estimate`: it is a run that costs so much at
-- first. They are noted as seen then, and where they have a limit a day, their runs are admitted
-- one after another and the estimate must fit. `p_alone`: the transaction goes on to change the
-- row. What it refuses it raises as LR001, as `accept_run` does.
CREATE OR REPLACE FUNCTION admit_end_user(
  p_account uuid,
  p_end_user text,
  p_estimate bigint,
  p_alone boolean
)
RETURNS void
LANGUAGE plpgsql AS $$
-- Nullable: p_estimate.
DECLARE
  v_person end_users;
  v_alone boolean;
  v_room bigint;
BEGIN
  INSERT INTO end_users (id, account_id, end_user)
  SELECT new_id(), p_account, p_end_user
  WHERE NOT EXISTS (
    SELECT 1 FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user)
  ON CONFLICT (account_id, end_user) DO NOTHING;
  SELECT p_alone OR p_estimate IS NOT NULL AND (
      coalesce(e.last_seen_at < now() - interval '1 minute', true)
      OR e.max_credits_per_day_micros IS NOT NULL) INTO v_alone
  FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user;
  -- Never the weaker lock first: two that both wanted more would wait for each other.
  IF v_alone THEN
    SELECT e.* INTO v_person
    FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user FOR NO KEY UPDATE;
  ELSE
    SELECT e.* INTO v_person
    FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user FOR SHARE;
  END IF;
  -- None: their erasure has just come to its end.
  IF v_person.id IS NULL OR v_person.erasing_at IS NOT NULL THEN
    RAISE EXCEPTION 'CONFLICT' USING ERRCODE = 'LR001', DETAIL = '{"erasing": true}';
  END IF;
  IF p_estimate IS NULL OR NOT v_alone THEN
    RETURN;
  END IF;
  UPDATE end_users e SET last_seen_at = now()
  WHERE e.id = v_person.id AND e.account_id = p_account
    AND coalesce(e.last_seen_at < now() - interval '1 minute', true);
  v_room := end_user_room(p_account, p_end_user, NULL);
  IF v_room < p_estimate THEN
    RAISE EXCEPTION 'INSUFFICIENT_CREDITS' USING ERRCODE = 'LR001',
      DETAIL = jsonb_build_object('available', greatest(0, v_room), 'limit', NULL,
        'per_day', v_person.max_credits_per_day_micros);
  END IF;
END $$;
