-- Bodies name functions that stand further down.
SET check_function_bodies = off;

-- prisma/functions/budget_lack.sql
-- What a run lacks for its next call, and what is said of it: the run's limit (or that of a run
-- above it, which is named then: of several that leave so little the uppermost) where that leaves
-- less than `p_least`, else the account's credits. No row where nothing is lacking. `required`: the
-- limit, or the account's credits, that would do. `root_action`: the same in the words of `p_root`.
-- Whoever calls holds the locks.
CREATE OR REPLACE FUNCTION budget_lack(
  p_run uuid,
  p_account uuid,
  p_agent_max bigint,
  p_root uuid,
  p_least bigint
)
RETURNS TABLE (kind text, action jsonb, root_action jsonb)
LANGUAGE plpgsql STABLE AS $$
-- Nullable: p_agent_max, p_root.
DECLARE
  v_run runs;
  v_max bigint;
  v_room bigint;
  v_own_room bigint;
  v_bound uuid := p_run;
  v_next uuid;
  v_has bigint;
  v_spent bigint;
  v_is_root boolean;
BEGIN
  SELECT * INTO v_run FROM runs r WHERE r.id = p_run AND r.account_id = p_account;
  -- Of a child that waits its super-agent's limit alone holds, not what that left as it began.
  v_max := CASE WHEN v_run.max_is_raised THEN v_run.max_credits_micros
    ELSE least(CASE WHEN v_run.parent_run_id IS NULL THEN v_run.max_credits_micros END,
      p_agent_max) END;
  v_own_room := run_room(p_run, p_account, v_max, NULL);
  v_room := run_room(p_run, p_account, v_max, p_root);
  SELECT a.available_micros + h.amount_micros INTO v_has
  FROM credit_holds h JOIN accounts a ON a.id = h.account_id
  WHERE h.run_id = p_run AND h.account_id = p_account;
  IF v_room >= p_least OR v_room IS NULL THEN
    IF v_has >= p_least THEN
      RETURN;
    END IF;
    kind := 'credits';
  ELSE
    kind := 'budget';
  END IF;
  v_is_root := p_root IS NOT NULL AND (p_root = p_run
    OR (kind = 'budget' AND (v_own_room IS NULL OR v_own_room >= p_least)));
  IF v_is_root THEN
    v_bound := p_root;
    WHILE kind = 'budget' LOOP
      SELECT r.parent_run_id INTO v_next FROM runs r
      WHERE r.id = v_bound AND r.account_id = p_account;
      EXIT WHEN v_next IS NULL
        OR run_room(p_run, p_account, NULL, v_next) IS DISTINCT FROM v_room;
      v_bound := v_next;
    END LOOP;
  END IF;
  IF v_bound <> p_run THEN
    SELECT a.most INTO v_max FROM runs_above(v_bound, p_account) a WHERE a.run = v_bound;
  END IF;
  WITH RECURSIVE below AS (
    SELECT v_bound AS id
    UNION ALL
    SELECT r.id FROM runs r JOIN below b ON r.parent_run_id = b.id
    WHERE r.account_id = p_account AND v_is_root
  )
  SELECT coalesce(sum(u.credits_micros), 0) INTO v_spent
  FROM run_usage u JOIN below b ON b.id = u.run_id WHERE u.account_id = p_account;
  root_action := jsonb_build_object(
    'type', kind,
    'spent', trim_scale(v_spent / 1000000.0),
    'required', trim_scale(CASE kind WHEN 'credits' THEN p_least
      WHEN 'budget' THEN v_max - CASE WHEN v_is_root THEN v_room ELSE v_own_room END + p_least
      END / 1000000.0),
    'max_credits', trim_scale(v_max / 1000000.0));
  action := root_action;
  IF kind = 'budget' AND v_bound <> p_run THEN
    action := action || jsonb_build_object('run_id', v_bound);
  END IF;
  IF kind = 'budget' AND v_bound <> p_root THEN
    root_action := root_action || jsonb_build_object('run_id', v_bound);
  END IF;
  RETURN NEXT;
END $$;

RESET check_function_bodies;
