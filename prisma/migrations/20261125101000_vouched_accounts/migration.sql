-- Accounts that nobody vouched for and that were not topped up work on two runs at once. Those that
-- are there already are left as they were.
ALTER TABLE "accounts" ADD COLUMN "vouched" BOOLEAN NOT NULL DEFAULT true;

-- What the operator has set for an account's runs at work, or follows from nobody vouching for it,
-- is a limit of the engine: the key is that of lib/jobs/execute-run.ts.
CREATE OR REPLACE FUNCTION "account_runs_at_work"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_most int;
BEGIN
  IF TG_OP <> 'DELETE' THEN
    v_most := coalesce(NEW.runs_at_work, CASE WHEN NOT NEW.vouched THEN 2 END);
  END IF;
  IF v_most IS NULL THEN
    DELETE FROM engine_limits WHERE key = 'lathe-execute-run:0:"' || OLD.id || '"';
  ELSE
    INSERT INTO engine_limits (key, most) VALUES ('lathe-execute-run:0:"' || NEW.id || '"', v_most)
    ON CONFLICT (key) DO UPDATE SET most = excluded.most;
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER "accounts_limit_runs" ON "accounts";
CREATE TRIGGER "accounts_limit_runs" AFTER UPDATE OF "runs_at_work", "vouched" ON "accounts"
FOR EACH ROW WHEN (OLD.runs_at_work IS DISTINCT FROM NEW.runs_at_work OR OLD.vouched <> NEW.vouched)
EXECUTE FUNCTION "account_runs_at_work"();
DROP TRIGGER "accounts_limit_new" ON "accounts";
CREATE TRIGGER "accounts_limit_new" AFTER INSERT ON "accounts"
FOR EACH ROW WHEN (NEW.runs_at_work IS NOT NULL OR NOT NEW.vouched)
EXECUTE FUNCTION "account_runs_at_work"();
DROP TRIGGER "accounts_limit_gone" ON "accounts";
CREATE TRIGGER "accounts_limit_gone" AFTER DELETE ON "accounts"
FOR EACH ROW WHEN (OLD.runs_at_work IS NOT NULL OR NOT OLD.vouched)
EXECUTE FUNCTION "account_runs_at_work"();
