-- AlterTable
ALTER TABLE "users" ADD COLUMN     "password_unproven" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "pending_sign_ups" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT NOT NULL,
    "invitation_id" UUID,
    "address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_sign_ups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_up_links" (
    "hash" BYTEA NOT NULL,
    "sign_up_id" UUID NOT NULL,

    CONSTRAINT "sign_up_links_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "pending_sign_ups_email_id_idx" ON "pending_sign_ups"("email", "id");

-- CreateIndex
CREATE INDEX "pending_sign_ups_expires_at_idx" ON "pending_sign_ups"("expires_at");

-- CreateIndex
CREATE INDEX "sign_up_links_sign_up_id_idx" ON "sign_up_links"("sign_up_id");

-- AddForeignKey
ALTER TABLE "sign_up_links" ADD CONSTRAINT "sign_up_links_sign_up_id_fkey" FOREIGN KEY ("sign_up_id") REFERENCES "pending_sign_ups"("id") ON DELETE CASCADE ON UPDATE CASCADE;
