-- CreateTable
CREATE TABLE "service_identity" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "key_id" TEXT NOT NULL,
    "key_fingerprint" TEXT NOT NULL,
    "file_store" TEXT NOT NULL,
    "draining_since" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "service_identity_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "api_keys_revoked_at_idx" ON "api_keys"("revoked_at");

-- CreateIndex
CREATE INDEX "api_keys_expires_at_idx" ON "api_keys"("expires_at");

-- CreateIndex
CREATE INDEX "artifacts_storage_key_idx" ON "artifacts"("storage_key");

-- CreateIndex
CREATE INDEX "invitations_expires_at_idx" ON "invitations"("expires_at");

-- CreateIndex
CREATE INDEX "webhook_secrets_expires_at_idx" ON "webhook_secrets"("expires_at");

-- CreateIndex
CREATE INDEX "workspace_files_storage_key_idx" ON "workspace_files"("storage_key");


-- There is one.
ALTER TABLE "service_identity" ADD CONSTRAINT "service_identity_is_one" CHECK ("id" = 1);
