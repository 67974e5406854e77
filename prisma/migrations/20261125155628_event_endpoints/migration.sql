-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "last_event_sequence" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "key" TEXT,
ADD COLUMN     "path" TEXT,
ALTER COLUMN "run_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "endpoint_id" UUID,
ADD COLUMN     "event_id" UUID,
ADD COLUMN     "event_type" TEXT,
ALTER COLUMN "run_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "webhook_secrets" ADD COLUMN     "endpoint_id" UUID;

-- CreateTable
CREATE TABLE "account_events" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "sequence" BIGINT,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_events_unnumbered_idx" ON "account_events"("account_id", "id") WHERE (sequence IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "account_events_account_id_sequence_key" ON "account_events"("account_id", "sequence");

-- CreateIndex
CREATE INDEX "webhook_endpoints_account_id_id_idx" ON "webhook_endpoints"("account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_key_key" ON "notifications"("key");

-- CreateIndex
CREATE INDEX "webhook_deliveries_of_endpoints_run_id_idx" ON "webhook_deliveries"("run_id") WHERE (endpoint_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_idx" ON "webhook_deliveries"("endpoint_id", "id") WHERE (endpoint_id IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_own_run_key" ON "webhook_deliveries"("run_id") WHERE (endpoint_id IS NULL);

-- DropIndex
DROP INDEX "webhook_deliveries_run_id_key";

-- CreateIndex
CREATE INDEX "webhook_secrets_endpoint_id_idx" ON "webhook_secrets"("endpoint_id");

-- AddForeignKey
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
