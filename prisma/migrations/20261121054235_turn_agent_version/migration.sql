-- AlterTable
ALTER TABLE "run_turns" ADD COLUMN     "agent_version_id" UUID;
