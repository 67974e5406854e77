-- contract: no statement of the release before names any of these; its functions that named
-- run_logs.lease_until are those of the migration before this one by now.

-- AlterTable
ALTER TABLE "engine_processes" DROP COLUMN "pool";

-- AlterTable
ALTER TABLE "run_logs" DROP COLUMN "lease_until";

-- AlterTable
ALTER TABLE "runs" DROP COLUMN "dispatched_at";

-- DropTable
DROP TABLE "engine_slots";

-- Of the queue that was there before decision 0030. Where it is another role's, it is not ours.
DO $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM pg_namespace
    WHERE nspname = 'graphile_worker' AND pg_has_role(nspowner, 'USAGE'))
  THEN
    DROP SCHEMA graphile_worker CASCADE;
  END IF;
END $$;
