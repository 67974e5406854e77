-- What the runs of a person may still cost today (UTC), in millionths of a credit: their limit less
-- what was paid and what their other runs hold; null without a limit.
CREATE OR REPLACE FUNCTION end_user_room(p_account uuid, p_end_user text, p_run uuid)
RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
-- Nullable: p_end_user, p_run.
DECLARE
  v_max bigint;
BEGIN
  SELECT e.max_credits_per_day_micros INTO v_max
  FROM end_users e WHERE e.account_id = p_account AND e.end_user = p_end_user;
  IF v_max IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN v_max
    - (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u
       WHERE u.account_id = p_account AND u.end_user = p_end_user
         AND u.created_at >= date_trunc('day', now(), 'UTC'))
    - (SELECT coalesce(sum(h.amount_micros), 0) FROM credit_holds h JOIN runs r ON r.id = h.run_id
       WHERE h.account_id = p_account AND r.account_id = p_account AND r.end_user = p_end_user
         AND h.run_id IS DISTINCT FROM p_run);
END $$;
