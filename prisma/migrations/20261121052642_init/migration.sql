-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "available_micros" BIGINT NOT NULL DEFAULT 0,
    "files_bytes" BIGINT NOT NULL DEFAULT 0,
    "blocked" BOOLEAN NOT NULL DEFAULT false,
    "super_agent_access" BOOLEAN NOT NULL DEFAULT false,
    "read_per_minute" INTEGER,
    "runs_per_minute" INTEGER,
    "write_per_hour" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "session_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_identities" (
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_identities_pkey" PRIMARY KEY ("provider","subject")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "minute_buckets" (
    "key" TEXT NOT NULL,
    "window_started_at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "minute_buckets_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "hour_buckets" (
    "key" TEXT NOT NULL,
    "window_started_at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "hour_buckets_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "run_id" UUID,
    "kind" TEXT NOT NULL,
    "amount_micros" BIGINT NOT NULL,
    "note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credit_holds" (
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "amount_micros" BIGINT NOT NULL,

    CONSTRAINT "credit_holds_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "webhook_secrets" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "product_profiles" (
    "account_id" UUID NOT NULL,
    "profile" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "product_profiles_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "agents" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "version" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "write_autonomy" TEXT NOT NULL,
    "skill_content" TEXT NOT NULL,
    "config_content" TEXT NOT NULL,
    "config" JSONB NOT NULL,
    "dashboard_template" JSONB,
    "current_version_id" UUID NOT NULL,
    "created_by_run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_versions" (
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "release_note" TEXT,
    "source" TEXT NOT NULL,
    "run_id" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "write_autonomy" TEXT NOT NULL,
    "skill_content" TEXT NOT NULL,
    "config_content" TEXT NOT NULL,
    "config" JSONB NOT NULL,
    "dashboard_template" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedules" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "cron" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "next_run_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secrets" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "allowed_hosts" TEXT[],
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "skills" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "skills_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "skill_files" (
    "skill_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "skill_files_pkey" PRIMARY KEY ("skill_id","path")
);

-- CreateTable
CREATE TABLE "engine_processes" (
    "id" SERIAL NOT NULL,
    "pool" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "engine_processes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_events" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "function_id" TEXT,
    "match_values" TEXT[],
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "routed_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_runs" (
    "id" UUID NOT NULL,
    "function_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "owner" INTEGER,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "wakes" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "takeovers" INTEGER NOT NULL DEFAULT 0,
    "takeover_steps" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "output" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_steps" (
    "run_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "op" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "done" BOOLEAN NOT NULL DEFAULT false,
    "data" TEXT,
    "error" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_steps_pkey" PRIMARY KEY ("run_id","id")
);

-- CreateTable
CREATE TABLE "engine_waits" (
    "run_id" UUID NOT NULL,
    "step_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "match_value" TEXT,
    "conditions" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_waits_pkey" PRIMARY KEY ("run_id","step_id")
);

-- CreateTable
CREATE TABLE "engine_slots" (
    "key" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "held" BOOLEAN NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "engine_slots_pkey" PRIMARY KEY ("key","run_id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "agent_id" UUID,
    "conversation_id" UUID,
    "workspace_id" UUID,
    "schedule_id" UUID,
    "input" JSONB NOT NULL,
    "model" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "max_credits_micros" BIGINT,
    "webhook_url" TEXT,
    "should_notify" BOOLEAN NOT NULL DEFAULT false,
    "release_note" TEXT,
    "requires_action" JSONB,
    "result" JSONB,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "webhook_delivered_at" TIMESTAMPTZ(3),
    "dispatched_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_logs" (
    "run_id" UUID NOT NULL,
    "next_sequence" INTEGER NOT NULL DEFAULT 0,
    "writer" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_logs_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "run_events" (
    "run_id" UUID NOT NULL,
    "first_sequence" INTEGER NOT NULL,
    "last_sequence" INTEGER NOT NULL,
    "lines" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id","first_sequence")
);

-- CreateTable
CREATE TABLE "run_turns" (
    "run_id" UUID NOT NULL,
    "turn" INTEGER NOT NULL,
    "message_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "finish_reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_turns_pkey" PRIMARY KEY ("run_id","turn")
);

-- CreateTable
CREATE TABLE "run_tool_results" (
    "run_id" UUID NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "succeeded" BOOLEAN NOT NULL,
    "output" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_tool_results_pkey" PRIMARY KEY ("run_id","tool_call_id")
);

-- CreateTable
CREATE TABLE "run_usage" (
    "run_id" UUID NOT NULL,
    "step_key" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID,
    "model" TEXT NOT NULL,
    "capability" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cached_input_tokens" INTEGER NOT NULL,
    "units" INTEGER NOT NULL,
    "credits_micros" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_usage_pkey" PRIMARY KEY ("run_id","step_key")
);

-- CreateTable
CREATE TABLE "artifacts" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "step_key" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversations" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "family" TEXT NOT NULL,
    "active_run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "account_id" UUID NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("account_id","route","key")
);

-- CreateTable
CREATE TABLE "approvals" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID,
    "tool_call_id" TEXT NOT NULL,
    "tool_name" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "summary" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "delivery_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status_code" INTEGER,
    "duration_ms" INTEGER NOT NULL,
    "error" TEXT,
    "response_body" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id","attempt")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "emailed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_agents" (
    "workspace_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_agents_pkey" PRIMARY KEY ("workspace_id","agent_id")
);

-- CreateTable
CREATE TABLE "workspace_files" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "content_type" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workspace_files_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_account_id_idx" ON "users"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_account_id_id_idx" ON "api_keys"("account_id", "id");

-- CreateIndex
CREATE INDEX "api_keys_agent_id_idx" ON "api_keys"("agent_id");

-- CreateIndex
CREATE INDEX "minute_buckets_window_started_at_idx" ON "minute_buckets"("window_started_at");

-- CreateIndex
CREATE INDEX "hour_buckets_window_started_at_idx" ON "hour_buckets"("window_started_at");

-- CreateIndex
CREATE INDEX "ledger_entries_account_id_id_idx" ON "ledger_entries"("account_id", "id");

-- CreateIndex
CREATE INDEX "ledger_entries_run_id_idx" ON "ledger_entries"("run_id");

-- CreateIndex
CREATE INDEX "credit_holds_account_id_idx" ON "credit_holds"("account_id");

-- CreateIndex
CREATE INDEX "webhook_secrets_account_id_idx" ON "webhook_secrets"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "agents_created_by_run_id_key" ON "agents"("created_by_run_id");

-- CreateIndex
CREATE INDEX "agents_account_id_status_id_idx" ON "agents"("account_id", "status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_versions_run_id_key" ON "agent_versions"("run_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_versions_agent_id_number_key" ON "agent_versions"("agent_id", "number");

-- CreateIndex
CREATE INDEX "schedules_agent_id_id_idx" ON "schedules"("agent_id", "id");

-- CreateIndex
CREATE INDEX "schedules_enabled_next_run_at_idx" ON "schedules"("enabled", "next_run_at");

-- CreateIndex
CREATE UNIQUE INDEX "secrets_account_id_name_key" ON "secrets"("account_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "skills_account_id_name_key" ON "skills"("account_id", "name");

-- CreateIndex
CREATE INDEX "engine_events_received_at_idx" ON "engine_events"("received_at");

-- CreateIndex
CREATE INDEX "engine_runs_owner_idx" ON "engine_runs"("owner");

-- CreateIndex
CREATE INDEX "engine_runs_status_due_at_idx" ON "engine_runs"("status", "due_at");

-- CreateIndex
CREATE INDEX "engine_runs_event_id_idx" ON "engine_runs"("event_id");

-- CreateIndex
CREATE INDEX "engine_runs_ended_at_idx" ON "engine_runs"("ended_at");

-- CreateIndex
CREATE INDEX "engine_waits_event_match_value_idx" ON "engine_waits"("event", "match_value");

-- CreateIndex
CREATE INDEX "engine_slots_run_id_idx" ON "engine_slots"("run_id");

-- CreateIndex
CREATE INDEX "runs_account_id_id_idx" ON "runs"("account_id", "id");

-- CreateIndex
CREATE INDEX "runs_account_id_status_id_idx" ON "runs"("account_id", "status", "id");

-- CreateIndex
CREATE INDEX "runs_agent_id_id_idx" ON "runs"("agent_id", "id");

-- CreateIndex
CREATE INDEX "runs_conversation_id_idx" ON "runs"("conversation_id");

-- CreateIndex
CREATE INDEX "runs_status_created_at_idx" ON "runs"("status", "created_at");

-- CreateIndex
CREATE INDEX "run_logs_closed_at_idx" ON "run_logs"("closed_at");

-- CreateIndex
CREATE INDEX "run_usage_account_id_created_at_idx" ON "run_usage"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "artifacts_run_id_step_key_key" ON "artifacts"("run_id", "step_key");

-- CreateIndex
CREATE INDEX "conversations_account_id_id_idx" ON "conversations"("account_id", "id");

-- CreateIndex
CREATE INDEX "messages_conversation_id_id_idx" ON "messages"("conversation_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_run_id_role_key" ON "messages"("run_id", "role");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "approvals_account_id_status_id_idx" ON "approvals"("account_id", "status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "approvals_run_id_tool_call_id_key" ON "approvals"("run_id", "tool_call_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_run_id_key" ON "webhook_deliveries"("run_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_account_id_id_idx" ON "webhook_deliveries"("account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_run_id_key" ON "notifications"("run_id");

-- CreateIndex
CREATE INDEX "notifications_account_id_id_idx" ON "notifications"("account_id", "id");

-- CreateIndex
CREATE INDEX "workspaces_account_id_id_idx" ON "workspaces"("account_id", "id");

-- CreateIndex
CREATE INDEX "workspace_agents_agent_id_idx" ON "workspace_agents"("agent_id");

-- CreateIndex
CREATE INDEX "workspace_files_workspace_id_id_idx" ON "workspace_files"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_files_workspace_id_path_key" ON "workspace_files"("workspace_id", "path");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_identities" ADD CONSTRAINT "oauth_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_profiles" ADD CONSTRAINT "product_profiles_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "skills" ADD CONSTRAINT "skills_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "skill_files" ADD CONSTRAINT "skill_files_skill_id_fkey" FOREIGN KEY ("skill_id") REFERENCES "skills"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_agents" ADD CONSTRAINT "workspace_agents_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_agents" ADD CONSTRAINT "workspace_agents_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_files" ADD CONSTRAINT "workspace_files_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say.

-- Limits a minute may be forgotten by a crash of the database, and cost no write-ahead log.
ALTER TABLE "minute_buckets" SET UNLOGGED;

-- Concurrent starts cannot overdraw, whatever the code does.
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_available_not_negative" CHECK ("available_micros" >= 0);
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_files_not_negative" CHECK ("files_bytes" >= 0);
ALTER TABLE "credit_holds" ADD CONSTRAINT "credit_holds_not_negative" CHECK ("amount_micros" >= 0);

-- Rows that each batch of events updates stay on their page.
ALTER TABLE "run_logs" SET (fillfactor = 60);
ALTER TABLE "minute_buckets" SET (fillfactor = 60);
