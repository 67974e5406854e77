-- Ends a wait for credits, and the one that stands for it in a super-agent's run: what such a run
-- requires, unless something else of it waits too. What it has waited does not count against its
-- time; waits side by side count once. Whoever calls holds the run's lock. False where it had ended
-- before.
CREATE OR REPLACE FUNCTION decide_budget_wait(p_wait uuid, p_account uuid, p_status text)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_wait budget_waits;
BEGIN
  FOR v_wait IN
    UPDATE budget_waits SET status = p_status, decided_at = clock_timestamp()
    WHERE (id = p_wait OR of_wait = p_wait) AND account_id = p_account AND status = 'waiting'
    RETURNING *
  LOOP
    UPDATE budget_waits SET created_at = least(created_at, v_wait.created_at)
    WHERE run_id = v_wait.run_id AND account_id = p_account AND status = 'waiting';
    CONTINUE WHEN FOUND;
    UPDATE runs SET
      requires_action = CASE WHEN requires_action ->> 'type' NOT IN ('budget', 'credits')
        THEN requires_action END,
      queued_ms = least(2147483647, queued_ms
        + extract(epoch FROM v_wait.decided_at - v_wait.created_at) * 1000)::integer
    WHERE id = v_wait.run_id AND account_id = p_account;
  END LOOP;
  RETURN FOUND;
END $$;
