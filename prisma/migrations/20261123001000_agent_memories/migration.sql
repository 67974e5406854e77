-- CreateTable
CREATE TABLE "agent_memories" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "end_user" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL,
    "made_by_run" UUID NOT NULL,
    "made_by_call" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_memories_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "agent_memories_agent_id_end_user_id_idx" ON "agent_memories"("agent_id", "end_user", "id");

-- CreateIndex
CREATE INDEX "agent_memories_account_id_idx" ON "agent_memories"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_memories_made_by_run_made_by_call_key" ON "agent_memories"("made_by_run", "made_by_call");
