-- lathe: no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "agent_memories_account_id_end_user_id_idx" ON "agent_memories"("account_id", "end_user", "id") WHERE (end_user <> '');
