-- The person of a run where they have a limit a day, and null for all others. Locks their row: of
-- two calls that ask for what is left at once, the second sees what the first one took.
CREATE OR REPLACE FUNCTION limited_end_user(p_run uuid, p_account uuid)
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_end_user text;
BEGIN
  SELECT e.end_user INTO v_end_user
  FROM runs r JOIN end_users e ON e.account_id = r.account_id AND e.end_user = r.end_user
  WHERE r.id = p_run AND r.account_id = p_account AND e.max_credits_per_day_micros IS NOT NULL;
  IF FOUND THEN
    PERFORM 1 FROM end_users
    WHERE account_id = p_account AND end_user = v_end_user FOR NO KEY UPDATE;
  END IF;
  RETURN v_end_user;
END $$;
