-- What the operator has set for an account's runs at work is a limit of the engine: the key is
-- that of lib/jobs/execute-run.ts.
CREATE OR REPLACE FUNCTION account_runs_at_work()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.runs_at_work IS NULL THEN
    DELETE FROM engine_limits WHERE key = 'lathe-execute-run:0:"' || OLD.id || '"';
  ELSE
    INSERT INTO engine_limits (key, most)
    VALUES ('lathe-execute-run:0:"' || NEW.id || '"', NEW.runs_at_work)
    ON CONFLICT (key) DO UPDATE SET most = excluded.most;
  END IF;
  RETURN NULL;
END $$;
