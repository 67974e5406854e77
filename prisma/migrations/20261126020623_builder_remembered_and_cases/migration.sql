-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "definition_digest" TEXT;

-- CreateTable
CREATE TABLE "datasets" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "datasets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dataset_items" (
    "id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "answers" JSONB NOT NULL DEFAULT '{}',
    "files" JSONB NOT NULL DEFAULT '{}',
    "checks" JSONB NOT NULL,
    "source" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dataset_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "remembered_approvals" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "tool_name" TEXT NOT NULL,
    "shown" JSONB NOT NULL,
    "approval_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "remembered_approvals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "datasets_agent_id_key" ON "datasets"("agent_id");

-- CreateIndex
CREATE INDEX "datasets_account_id_id_idx" ON "datasets"("account_id", "id");

-- CreateIndex
CREATE INDEX "dataset_items_dataset_id_id_idx" ON "dataset_items"("dataset_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "dataset_items_dataset_id_name_key" ON "dataset_items"("dataset_id", "name");

-- CreateIndex
CREATE INDEX "remembered_approvals_account_id_idx" ON "remembered_approvals"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "remembered_approvals_agent_id_digest_key" ON "remembered_approvals"("agent_id", "digest");

-- AddForeignKey
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset_items" ADD CONSTRAINT "dataset_items_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "remembered_approvals" ADD CONSTRAINT "remembered_approvals_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
