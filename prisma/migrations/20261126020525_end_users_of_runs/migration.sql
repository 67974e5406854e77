-- lathe: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "runs_account_id_end_user_id_idx" ON "runs"("account_id", "end_user", "id") WHERE (end_user IS NOT NULL);
