-- CreateTable
CREATE TABLE "usage_hours" (
    "account_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "model" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "credits_micros" BIGINT NOT NULL,
    "runs" INTEGER NOT NULL,

    CONSTRAINT "usage_hours_pkey" PRIMARY KEY ("account_id","hour","model","agent_id")
);

-- CreateTable
CREATE TABLE "usage_days" (
    "account_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "credits_micros" BIGINT NOT NULL,
    "runs" INTEGER NOT NULL,

    CONSTRAINT "usage_days_pkey" PRIMARY KEY ("account_id","day")
);

-- CreateTable
CREATE TABLE "usage_rollups" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_rollups_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "usage_hours_hour_idx" ON "usage_hours"("hour");

-- CreateIndex
CREATE INDEX "run_usage_created_at_idx" ON "run_usage"("created_at");
