-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "agent_version" INTEGER,
ADD COLUMN     "history_of" UUID,
ADD COLUMN     "replayed_from" UUID;
