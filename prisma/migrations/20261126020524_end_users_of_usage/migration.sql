-- lathe: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "run_usage_account_id_end_user_created_at_idx" ON "run_usage"("account_id", "end_user", "created_at") WHERE (end_user IS NOT NULL);
