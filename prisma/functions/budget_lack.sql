-- What a run lacks for its next call, and what is said of it: the run's limit (or the
-- super-agent's, whose run is named then) where that leaves less than `p_least`, else the account's
-- credits. No row where nothing is lacking. `required`: the limit, or the account's credits, that
-- would do. `root_action`: the same in the words of the super-agent's run. Whoever calls holds the
-- locks.
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
  v_root_max bigint;
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
    SELECT CASE WHEN p_root = p_run THEN v_max ELSE a.most END INTO v_root_max
    FROM runs_above(p_root, p_account) a WHERE a.run = p_root;
  END IF;
  SELECT coalesce(sum(u.credits_micros), 0) INTO v_spent
  FROM run_usage u JOIN runs r ON r.id = u.run_id
  WHERE r.account_id = p_account
    AND (r.id = p_run OR (v_is_root AND (r.id = p_root OR r.parent_run_id = p_root)));
  v_max := CASE WHEN v_is_root THEN v_root_max ELSE v_max END;
  root_action := jsonb_build_object(
    'type', kind,
    'spent', trim_scale(v_spent / 1000000.0),
    'required', trim_scale(CASE kind WHEN 'credits' THEN p_least
      WHEN 'budget' THEN v_max - CASE WHEN v_is_root THEN v_room ELSE v_own_room END + p_least
      END / 1000000.0),
    'max_credits', trim_scale(v_max / 1000000.0));
  action := root_action;
  IF kind = 'budget' AND p_root <> p_run THEN
    IF v_is_root THEN
      action := action || jsonb_build_object('run_id', p_root);
    ELSE
      root_action := root_action || jsonb_build_object('run_id', p_run);
    END IF;
  END IF;
  RETURN NEXT;
END $$;
