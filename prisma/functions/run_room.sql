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
