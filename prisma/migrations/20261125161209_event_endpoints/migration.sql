-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "credits_low_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_event_sequence" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "key" TEXT,
ADD COLUMN     "path" TEXT,
ALTER COLUMN "run_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN     "endpoint_id" UUID,
ADD COLUMN     "event_id" UUID,
ADD COLUMN     "event_type" TEXT,
ALTER COLUMN "run_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "webhook_secrets" ADD COLUMN     "endpoint_id" UUID;

-- CreateTable
CREATE TABLE "account_events" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "sequence" BIGINT,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_events_unnumbered_idx" ON "account_events"("account_id", "id") WHERE (sequence IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "account_events_account_id_sequence_key" ON "account_events"("account_id", "sequence");

-- CreateIndex
CREATE INDEX "webhook_endpoints_account_id_id_idx" ON "webhook_endpoints"("account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_key_key" ON "notifications"("key");

-- CreateIndex
CREATE INDEX "webhook_deliveries_run_id_idx" ON "webhook_deliveries"("run_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_idx" ON "webhook_deliveries"("endpoint_id", "id") WHERE (endpoint_id IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_own_run_key" ON "webhook_deliveries"("run_id") WHERE (endpoint_id IS NULL);

-- DropIndex
DROP INDEX "webhook_deliveries_run_id_key";

-- CreateIndex
CREATE INDEX "webhook_secrets_endpoint_id_idx" ON "webhook_secrets"("endpoint_id");

-- AddForeignKey
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An id that sorts by the time it was made at (RFC 9562, version 7).
CREATE OR REPLACE FUNCTION new_id()
RETURNS uuid
LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- Says that something has happened in an account, in the transaction that makes it true: it is in
-- the account's feed, and on its way to each endpoint that listens for it, when and only if that
-- commits. The engine's events of these deliveries are stored, not routed: who drives the engine is
-- told of them, and finds them at its next beat where that word is lost.
CREATE OR REPLACE FUNCTION record_event(p_account uuid, p_type text, p_data jsonb)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_event uuid := new_id();
  v_at timestamptz(3);
  v_endpoint record;
  v_delivery uuid;
  v_told boolean := false;
BEGIN
  INSERT INTO account_events (id, account_id, type, data)
  VALUES (v_event, p_account, p_type, p_data) RETURNING created_at INTO v_at;
  FOR v_endpoint IN
    SELECT e.id, e.url FROM webhook_endpoints e
    WHERE e.account_id = p_account AND e.enabled AND e.events && ARRAY['*', p_type] ORDER BY e.id
  LOOP
    v_delivery := new_id();
    INSERT INTO webhook_deliveries
      (id, run_id, account_id, url, status, payload, endpoint_id, event_id, event_type)
    VALUES (v_delivery, (p_data ->> 'run_id')::uuid, p_account, v_endpoint.url, 'pending',
      json_build_object('id', v_event, 'type', p_type,
        'created_at', to_char(v_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'account_id', p_account, 'data', p_data)::text,
      v_endpoint.id, v_event, p_type);
    INSERT INTO engine_events (id, name, data)
    VALUES (v_delivery, 'webhook/requested', json_build_object('delivery_id', v_delivery,
      'round', 0, 'account_id', p_account,
      'host', coalesce(substring(v_endpoint.url FROM '^[^:]+://([^/?#]+)'), ''))::text);
    v_told := true;
  END LOOP;
  IF v_told THEN
    PERFORM pg_notify('engine_wake', 'stored');
  END IF;
END $$;

-- A run has ended, or begins to wait for somebody. What it waits for is told thin: which calls, and
-- not with what.
CREATE OR REPLACE FUNCTION record_run_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_data jsonb := jsonb_build_object('run_id', NEW.id, 'kind', NEW.kind, 'agent_id', NEW.agent_id,
    'conversation_id', NEW.conversation_id, 'status', NEW.status);
  v_wait jsonb := NEW.requires_action;
BEGIN
  IF NEW.completed_at IS NOT NULL THEN
    PERFORM record_event(NEW.account_id, 'run.' || NEW.status, v_data);
    RETURN NULL;
  END IF;
  IF v_wait ->> 'type' = 'client_tool' THEN
    v_wait := jsonb_build_object('type', 'client_tool', 'calls', (
      SELECT jsonb_agg(c.call - 'arguments' ORDER BY c.place)
      FROM jsonb_array_elements(v_wait -> 'calls') WITH ORDINALITY AS c(call, place)));
  END IF;
  PERFORM record_event(NEW.account_id, 'run.requires_action',
    v_data || jsonb_build_object('requires_action', v_wait));
  RETURN NULL;
END $$;

-- An approval is asked for, was decided, or has expired.
CREATE OR REPLACE FUNCTION record_approval_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(NEW.account_id,
    CASE TG_OP WHEN 'INSERT' THEN 'approval.requested' ELSE 'approval.resolved' END,
    jsonb_build_object('approval_id', NEW.id, 'run_id', NEW.run_id, 'agent_id', NEW.agent_id,
      'tool_name', NEW.tool_name, 'status', NEW.status));
  RETURN NULL;
END $$;

-- The sign-in of a connection has ended.
CREATE OR REPLACE FUNCTION record_connection_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(NEW.account_id, 'connection.needs_sign_in',
    jsonb_build_object('connection_id', NEW.id, 'server_url', NEW.server_url));
  RETURN NULL;
END $$;

-- A firing of a schedule was skipped.
CREATE OR REPLACE FUNCTION record_schedule_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_event(NEW.account_id, 'schedule.failed', jsonb_build_object('schedule_id', NEW.id,
    'agent_id', NEW.agent_id, 'code', NEW.last_error ->> 'code'));
  RETURN NULL;
END $$;

-- An agent has a new version, its first too.
CREATE OR REPLACE FUNCTION record_version_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  v_account uuid;
BEGIN
  SELECT a.account_id INTO v_account FROM agents a WHERE a.id = NEW.agent_id;
  PERFORM record_event(v_account, 'agent.version_created', jsonb_build_object(
    'agent_id', NEW.agent_id, 'version_id', NEW.id, 'number', NEW.number, 'version', NEW.version,
    'source', NEW.source, 'run_id', NEW.run_id));
  RETURN NULL;
END $$;

-- The credits of an account run low. Told once a day, however often holds are taken and given back
-- around the bound (the trigger's condition).
CREATE OR REPLACE FUNCTION record_credits_event()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.credits_low_at := now();
  PERFORM record_event(NEW.id, 'account.credits_low',
    jsonb_build_object('available_credits', round(NEW.available_micros / 1000000.0, 6)));
  RETURN NEW;
END $$;

CREATE TRIGGER "runs_ended" AFTER UPDATE OF status ON "runs" FOR EACH ROW
WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION record_run_event();

-- A part of the calls that it waited for is answered: that is no other wait.
CREATE TRIGGER "runs_wait" AFTER UPDATE OF requires_action ON "runs" FOR EACH ROW
WHEN (NEW.requires_action IS NOT NULL AND NEW.completed_at IS NULL
  AND (OLD.requires_action IS NULL OR NEW.requires_action - 'calls' IS DISTINCT FROM OLD.requires_action - 'calls')) EXECUTE FUNCTION record_run_event();

CREATE TRIGGER "approvals_requested" AFTER INSERT ON "approvals" FOR EACH ROW WHEN (NEW.status = 'pending') EXECUTE FUNCTION record_approval_event();

CREATE TRIGGER "approvals_resolved" AFTER UPDATE OF status ON "approvals" FOR EACH ROW
WHEN (OLD.status = 'pending' AND NEW.status <> 'pending') EXECUTE FUNCTION record_approval_event();

CREATE TRIGGER "mcp_connections_ended" AFTER UPDATE OF status ON "mcp_connections" FOR EACH ROW
WHEN (NEW.status = 'needs_sign_in' AND OLD.status <> 'needs_sign_in') EXECUTE FUNCTION record_connection_event();

-- A firing that only waits keeps its time.
CREATE TRIGGER "schedules_skipped" AFTER UPDATE OF last_error ON "schedules" FOR EACH ROW
WHEN (NEW.last_error IS NOT NULL AND NEW.next_run_at IS DISTINCT FROM OLD.next_run_at) EXECUTE FUNCTION record_schedule_event();

CREATE TRIGGER "agent_versions_created" AFTER INSERT ON "agent_versions" FOR EACH ROW EXECUTE FUNCTION record_version_event();

-- Once a day, however often holds are taken and given back around the bound of a hundred credits.
CREATE TRIGGER "accounts_credits_low" BEFORE UPDATE OF available_micros ON "accounts" FOR EACH ROW
WHEN (OLD.available_micros > 100000000 AND NEW.available_micros <= 100000000 AND (OLD.credits_low_at IS NULL OR OLD.credits_low_at < now() - interval '1 day'))
EXECUTE FUNCTION record_credits_event();
