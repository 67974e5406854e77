-- The scratch space of a run, gone with it.
CREATE TABLE "run_files" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "step_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "run_files_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "run_files_run_id_path_key" ON "run_files"("run_id", "path");
CREATE INDEX "run_files_account_id_id_idx" ON "run_files"("account_id", "id");
CREATE INDEX "run_files_storage_key_idx" ON "run_files"("storage_key");

-- Which call of a run wrote a workspace's file: repeated after a crash, it appends nothing twice.
ALTER TABLE "workspace_files" ADD COLUMN "step_key" TEXT;
