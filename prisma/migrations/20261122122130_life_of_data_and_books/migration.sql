-- CreateTable
CREATE TABLE "usage_hours" (
    "account_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "agent_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "capability" TEXT NOT NULL,
    "runs" INTEGER NOT NULL,
    "calls" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cached_input_tokens" BIGINT NOT NULL,
    "units" BIGINT NOT NULL,
    "credits_micros" BIGINT NOT NULL,
    "price_micros" BIGINT NOT NULL,

    CONSTRAINT "usage_hours_pkey" PRIMARY KEY ("account_id","hour","agent_id","model","capability")
);

-- CreateTable
CREATE TABLE "usage_crossings" (
    "account_id" UUID NOT NULL,
    "charged_at" TIMESTAMPTZ(3) NOT NULL,
    "run_id" UUID NOT NULL,
    "step_key" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "previous_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_crossings_pkey" PRIMARY KEY ("account_id","charged_at","run_id","step_key")
);

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
CREATE INDEX "usage_crossings_charged_at_idx" ON "usage_crossings"("charged_at");

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

-- Adds each charge up, in its own transaction, whoever makes it: an older process too, while versions change. A restore brings the sums along.
CREATE FUNCTION "add_up_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  nobody CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  in_hour CONSTANT timestamptz := date_trunc('hour', NEW.created_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  previous timestamptz;
BEGIN
  IF current_setting('lathe.restoring', true) = 'on' THEN RETURN NULL; END IF;
  SELECT max(created_at) INTO previous FROM run_usage WHERE run_id = NEW.run_id AND step_key <> NEW.step_key;
  IF previous < in_hour THEN
    INSERT INTO usage_crossings (account_id, charged_at, run_id, step_key, agent_id, previous_at)
    VALUES (NEW.account_id, NEW.created_at, NEW.run_id, NEW.step_key, coalesce(NEW.agent_id, nobody), previous);
  END IF;
  INSERT INTO usage_hours AS h (account_id, hour, agent_id, model, capability, runs, calls, input_tokens, output_tokens, cached_input_tokens, units,
    credits_micros, price_micros)
  VALUES (NEW.account_id, in_hour, coalesce(NEW.agent_id, nobody), NEW.model, NEW.capability, (previous IS NULL)::int, 1, NEW.input_tokens,
    NEW.output_tokens, NEW.cached_input_tokens, NEW.units, NEW.credits_micros, coalesce(NEW.price_micros, NEW.credits_micros))
  ON CONFLICT (account_id, hour, agent_id, model, capability) DO UPDATE SET runs = h.runs + excluded.runs, calls = h.calls + excluded.calls,
    input_tokens = h.input_tokens + excluded.input_tokens, output_tokens = h.output_tokens + excluded.output_tokens,
    cached_input_tokens = h.cached_input_tokens + excluded.cached_input_tokens, units = h.units + excluded.units,
    credits_micros = h.credits_micros + excluded.credits_micros, price_micros = h.price_micros + excluded.price_micros;
  RETURN NULL;
END $$;

CREATE TRIGGER "run_usage_added_up" AFTER INSERT ON "run_usage" FOR EACH ROW EXECUTE FUNCTION "add_up_usage"();

-- What was charged before. The trigger's lock keeps charges waiting until this is done: some seconds for a million of them.
WITH charged AS MATERIALIZED (
  SELECT account_id, run_id, step_key, date_trunc('hour', created_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS hour, created_at,
    lag(created_at) OVER (PARTITION BY run_id ORDER BY created_at, step_key) AS previous,
    coalesce(agent_id, '00000000-0000-0000-0000-000000000000') AS agent_id, model, capability, input_tokens, output_tokens, cached_input_tokens, units,
    credits_micros, coalesce(price_micros, credits_micros) AS price_micros
  FROM run_usage
), crossed AS (
  INSERT INTO usage_crossings (account_id, charged_at, run_id, step_key, agent_id, previous_at)
  SELECT account_id, created_at, run_id, step_key, agent_id, previous FROM charged WHERE previous < hour
)
INSERT INTO usage_hours (account_id, hour, agent_id, model, capability, runs, calls, input_tokens, output_tokens, cached_input_tokens, units, credits_micros,
  price_micros)
SELECT account_id, hour, agent_id, model, capability, count(*) FILTER (WHERE previous IS NULL), count(*), sum(input_tokens), sum(output_tokens),
  sum(cached_input_tokens), sum(units), sum(credits_micros), sum(price_micros)
FROM charged GROUP BY 1, 2, 3, 4, 5;
