-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "mail_claimed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "round" INTEGER NOT NULL DEFAULT 0;
