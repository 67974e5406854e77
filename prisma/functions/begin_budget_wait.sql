-- Has a run wait until its limit, or its account, covers its next call: the wait, what the run says
-- that it requires, and what it holds, which goes back to the wallet, together. A super-agent's run
-- that started it says the same. `asked`: it waits; `settled`: there is enough by now, or this wait
-- is over; `refused`: its person has used up their day, which nothing that is raised gives back;
-- `ended`: the run is over. Repeated, it changes nothing (`is_new`). Rows are locked in the
-- order in which a call is covered: run, super-agent's run, hold, account.
CREATE OR REPLACE FUNCTION begin_budget_wait(
  p_wait uuid,
  p_run uuid,
  p_account uuid,
  p_agent_max bigint,
  p_root uuid,
  p_least bigint,
  p_turn integer,
  p_call text,
  p_seconds integer
)
RETURNS TABLE (outcome text, is_new boolean, action jsonb)
LANGUAGE plpgsql AS $$
-- Nullable: p_agent_max, p_root, p_call, action.
DECLARE
  v_status text;
  v_held bigint;
  v_lack record;
BEGIN
  is_new := false;
  SELECT r.status, r.requires_action INTO v_status, action
  FROM runs r WHERE r.id = p_run AND r.account_id = p_account FOR NO KEY UPDATE;
  IF v_status IS DISTINCT FROM 'running' THEN
    outcome := 'ended';
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT w.status INTO v_status FROM budget_waits w
  WHERE w.id = p_wait AND w.run_id = p_run AND w.account_id = p_account;
  IF FOUND THEN
    outcome := CASE v_status WHEN 'waiting' THEN 'asked' ELSE 'settled' END;
    RETURN NEXT;
    RETURN;
  END IF;
  IF p_root <> p_run THEN
    PERFORM 1 FROM runs WHERE id = p_root AND account_id = p_account FOR NO KEY UPDATE;
  END IF;
  SELECT h.amount_micros INTO v_held
  FROM credit_holds h WHERE h.run_id = p_run AND h.account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    outcome := 'ended';
    RETURN NEXT;
    RETURN;
  END IF;
  PERFORM 1 FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  SELECT * INTO v_lack FROM budget_lack(p_run, p_account, p_agent_max, p_root, p_least);
  IF NOT FOUND THEN
    outcome := CASE WHEN end_user_room(p_account, (
        SELECT r.end_user FROM runs r WHERE r.id = p_run AND r.account_id = p_account), p_run)
      < p_least THEN 'refused' ELSE 'settled' END;
    RETURN NEXT;
    RETURN;
  END IF;
  -- What it holds may be what another one waits for.
  UPDATE credit_holds SET amount_micros = 0 WHERE run_id = p_run AND account_id = p_account;
  UPDATE accounts SET available_micros = available_micros + v_held WHERE id = p_account;
  IF v_lack.kind = 'credits' THEN
    UPDATE accounts SET credits_awaited_micros = least(credits_awaited_micros, p_least)
    WHERE id = p_account;
  END IF;
  INSERT INTO budget_waits (id, run_id, account_id, root_run_id, kind, turn, tool_call_id,
    least_micros, agent_max_micros, status, expires_at)
  VALUES (p_wait, p_run, p_account, p_root, v_lack.kind, p_turn, p_call, p_least, p_agent_max,
    'waiting', now() + make_interval(secs => p_seconds));
  UPDATE runs SET requires_action = v_lack.action WHERE id = p_run AND account_id = p_account;
  IF p_root <> p_run THEN
    INSERT INTO budget_waits (id, run_id, account_id, of_wait, kind, turn, least_micros, status,
      expires_at)
    SELECT new_id(), r.id, p_account, p_wait, v_lack.kind, 0, 0, 'waiting',
      now() + make_interval(secs => p_seconds)
    FROM runs r WHERE r.id = p_root AND r.account_id = p_account AND r.status = 'running';
    UPDATE runs SET requires_action = v_lack.root_action
    WHERE id = p_root AND account_id = p_account AND status = 'running' AND requires_action IS NULL;
  END IF;
  outcome := 'asked';
  is_new := true;
  action := v_lack.action;
  RETURN NEXT;
END $$;
