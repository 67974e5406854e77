-- AlterTable
ALTER TABLE "agent_versions" ADD COLUMN     "key_order" JSONB;

-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "key_order" JSONB;
