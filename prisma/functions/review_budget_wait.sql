-- Has a run that waits for credits go on where they are there by now: what its next turn costs at
-- least is held for it, so that nobody takes it on the way (a call of a tool may pay for a run of
-- its own, from the wallet). Else it says what it lacks now, and waits on. Gives whether it goes on
-- by this. Locks as `begin_budget_wait`.
CREATE OR REPLACE FUNCTION review_budget_wait(p_wait uuid, p_account uuid)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_wait budget_waits;
  v_held bigint;
  v_lack record;
BEGIN
  SELECT * INTO v_wait FROM budget_waits
  WHERE id = p_wait AND account_id = p_account AND of_wait IS NULL AND status = 'waiting';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM runs
  WHERE id = v_wait.run_id AND account_id = p_account AND status = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM budget_waits
  WHERE id = p_wait AND account_id = p_account AND status = 'waiting';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF v_wait.root_run_id <> v_wait.run_id THEN
    PERFORM 1 FROM runs
    WHERE id = v_wait.root_run_id AND account_id = p_account FOR NO KEY UPDATE;
  END IF;
  SELECT h.amount_micros INTO v_held
  FROM credit_holds h WHERE h.run_id = v_wait.run_id AND h.account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  SELECT * INTO v_lack FROM budget_lack(v_wait.run_id, p_account, v_wait.agent_max_micros,
    v_wait.root_run_id, v_wait.least_micros);
  IF FOUND THEN
    UPDATE runs SET requires_action = v_lack.action
    WHERE id = v_wait.run_id AND account_id = p_account
      AND requires_action IS DISTINCT FROM v_lack.action;
    UPDATE budget_waits SET kind = v_lack.kind
    WHERE (id = p_wait OR of_wait = p_wait) AND account_id = p_account AND kind <> v_lack.kind;
    UPDATE runs r SET requires_action = v_lack.root_action
    WHERE r.id = v_wait.root_run_id AND r.id <> v_wait.run_id AND r.account_id = p_account
      AND r.requires_action ->> 'type' IN ('budget', 'credits')
      AND NOT EXISTS (SELECT 1 FROM budget_waits w WHERE w.run_id = r.id
        AND w.status = 'waiting' AND w.of_wait IS DISTINCT FROM p_wait);
    IF v_lack.kind = 'credits' THEN
      UPDATE accounts
      SET credits_awaited_micros = least(credits_awaited_micros, v_wait.least_micros)
      WHERE id = p_account;
    END IF;
    RETURN false;
  END IF;
  IF v_wait.tool_call_id IS NULL AND v_held < v_wait.least_micros THEN
    UPDATE accounts SET available_micros = available_micros - (v_wait.least_micros - v_held)
    WHERE id = p_account;
    UPDATE credit_holds SET amount_micros = v_wait.least_micros
    WHERE run_id = v_wait.run_id AND account_id = p_account;
  END IF;
  RETURN decide_budget_wait(p_wait, p_account, 'raised');
END $$;
