-- A run that waited for credits has ended: nothing waits for it any more.
CREATE OR REPLACE FUNCTION end_budget_waits()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM decide_budget_wait(w.id, NEW.account_id, 'expired') FROM budget_waits w
  WHERE w.run_id = NEW.id AND w.account_id = NEW.account_id AND w.status = 'waiting';
  RETURN NULL;
END $$;
