-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "version_is_named" BOOLEAN NOT NULL DEFAULT false;
