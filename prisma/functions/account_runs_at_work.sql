-- What the operator has set for an account's runs at work, or follows from nobody vouching for it,
-- is a limit of the engine: the key is that of lib/jobs/execute-run.ts.
CREATE OR REPLACE FUNCTION account_runs_at_work()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_most int;
BEGIN
  IF TG_OP <> 'DELETE' THEN
    v_most := coalesce(NEW.runs_at_work, CASE WHEN NOT NEW.vouched THEN 2 END);
  END IF;
  IF v_most IS NULL THEN
    DELETE FROM engine_limits WHERE key = 'lathe-execute-run:0:"' || OLD.id || '"';
  ELSE
    INSERT INTO engine_limits (key, most)
    VALUES ('lathe-execute-run:0:"' || NEW.id || '"', v_most)
    ON CONFLICT (key) DO UPDATE SET most = excluded.most;
  END IF;
  RETURN NULL;
END $$;
