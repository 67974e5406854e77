-- CreateIndex
CREATE INDEX "approvals_account_id_id_idx" ON "approvals"("account_id", "id");

-- CreateIndex
CREATE INDEX "artifacts_account_id_id_idx" ON "artifacts"("account_id", "id");

-- CreateIndex, for prefixes: under another order than that of bytes no index serves them.
CREATE INDEX "workspace_files_workspace_id_path_idx" ON "workspace_files"("workspace_id", "path" COLLATE "C");

-- CreateIndex
CREATE INDEX "workspace_files_account_id_id_idx" ON "workspace_files"("account_id", "id");

-- What follows has no words in Prisma's language: indexes of a part of the rows, or of an expression. A part keeps the rows that come most out of the index, so that
-- an ordinary run costs nothing more to write.

-- Lists of the kinds that are few beside an agent's ordinary runs.
CREATE INDEX "runs_agent_id_kind_id_idx" ON "runs"("agent_id", "kind", "id") WHERE "kind" <> 'agent';
CREATE INDEX "runs_account_id_super_agent_idx" ON "runs"("account_id", "id") WHERE "kind" = 'super_agent';

-- Runs by metadata. The account stands in the indexed value, so that what others call the same is not looked at.
CREATE INDEX "runs_metadata_idx" ON "runs" USING gin (jsonb_set('{}'::jsonb, ARRAY["account_id"::text], "metadata") jsonb_path_ops) WITH (fastupdate = off)
  WHERE "metadata" <> '{}'::jsonb;

-- Conversations of the families that are few.
CREATE INDEX "conversations_account_id_family_id_idx" ON "conversations"("account_id", "family", "id") WHERE "family" <> 'agent';

-- Deliveries that are under way or have failed; what the sweep sends again.
CREATE INDEX "webhook_deliveries_account_id_status_id_idx" ON "webhook_deliveries"("account_id", "status", "id") WHERE "status" <> 'delivered';
CREATE INDEX "webhook_deliveries_pending_idx" ON "webhook_deliveries"("created_at") WHERE "status" = 'pending';
CREATE INDEX "notifications_to_mail_idx" ON "notifications"("created_at") WHERE "emailed_at" IS NULL;
