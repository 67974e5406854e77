-- CreateTable
CREATE TABLE "client_tool_calls" (
    "run_id" UUID NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "batch_id" UUID NOT NULL,
    "turn" INTEGER NOT NULL,
    "tool_name" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "succeeded" BOOLEAN,
    "output" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_tool_calls_pkey" PRIMARY KEY ("run_id","tool_call_id")
);

-- CreateIndex
CREATE INDEX "client_tool_calls_account_id_idx" ON "client_tool_calls"("account_id");
