-- What a run may still cost, in millionths of a credit; null without a limit. Of the runs of a
-- super-agent all count together, by what they have spent and by what the others hold. `p_max`:
-- the run's own limit; `p_root`: the super-agent's run whose limit holds for all that it started.
CREATE OR REPLACE FUNCTION run_room(p_run uuid, p_account uuid, p_max bigint, p_root uuid)
RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
-- Nullable: p_max, p_root.
DECLARE
  v_room bigint;
  v_root_max bigint;
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
  SELECT r.max_credits_micros INTO v_root_max
  FROM runs r WHERE r.id = p_root AND r.account_id = p_account;
  IF v_root_max IS NULL THEN
    RETURN v_room;
  END IF;
  RETURN least(v_room, v_root_max
    - (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u JOIN runs f ON f.id = u.run_id
       WHERE f.account_id = p_account AND (f.id = p_root OR f.parent_run_id = p_root))
    - (SELECT coalesce(sum(h.amount_micros), 0) FROM credit_holds h JOIN runs f ON f.id = h.run_id
       WHERE f.account_id = p_account AND h.run_id <> p_run
         AND (f.id = p_root OR f.parent_run_id = p_root)));
END $$;
