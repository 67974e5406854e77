-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "runs_at_work" INTEGER;

-- AlterTable
ALTER TABLE "engine_slots" ADD COLUMN     "lane" TEXT;

-- AlterTable
ALTER TABLE "run_usage" ADD COLUMN     "price_micros" BIGINT;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "origin" TEXT NOT NULL DEFAULT 'key',
ADD COLUMN     "parent_call_id" TEXT,
ADD COLUMN     "parent_run_id" UUID,
ADD COLUMN     "queued_ms" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "engine_slots_lane_key_since_idx" ON "engine_slots"("lane", "key", "since");

-- CreateIndex
CREATE INDEX "runs_parent_run_id_idx" ON "runs"("parent_run_id");
