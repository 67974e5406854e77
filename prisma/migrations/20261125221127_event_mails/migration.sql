-- AlterTable
ALTER TABLE "users" ADD COLUMN     "event_mails" BOOLEAN NOT NULL DEFAULT true;
