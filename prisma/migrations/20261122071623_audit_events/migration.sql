-- CreateTable
CREATE TABLE "audit_events" (
    "id" UUID NOT NULL,
    "account_id" UUID,
    "actor_kind" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_label" TEXT,
    "address" TEXT,
    "user_agent" TEXT,
    "action" TEXT NOT NULL,
    "object_kind" TEXT,
    "object_id" UUID,
    "object_label" TEXT,
    "changes" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_events_account_id_id_idx" ON "audit_events"("account_id", "id");

-- CreateIndex
CREATE INDEX "audit_events_account_id_action_id_idx" ON "audit_events"("account_id", "action", "id");

-- CreateIndex
CREATE INDEX "audit_events_action_id_idx" ON "audit_events"("action", "id");

-- The log only grows: a row is never changed, and removed only where retention or the deletion of its account says so for its own transaction
-- (lib/domain/audit/remove-audit-events.ts). ALWAYS: a session that plays replica is refused too.
CREATE FUNCTION "audit_events_only_grow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('lathe.audit_removal', true) = 'allowed' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit_events only grows: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "audit_events_rows_stay" BEFORE UPDATE OR DELETE ON "audit_events" FOR EACH ROW EXECUTE FUNCTION "audit_events_only_grow"();
CREATE TRIGGER "audit_events_table_stays" BEFORE TRUNCATE ON "audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "audit_events_only_grow"();
ALTER TABLE "audit_events" ENABLE ALWAYS TRIGGER "audit_events_rows_stay";
ALTER TABLE "audit_events" ENABLE ALWAYS TRIGGER "audit_events_table_stays";
