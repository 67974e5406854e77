-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "digest" TEXT,
ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'tool_call',
ADD COLUMN     "reason" TEXT,
ADD COLUMN     "replaces" UUID,
ADD COLUMN     "shown" JSONB,
ALTER COLUMN "tool_call_id" DROP NOT NULL;
