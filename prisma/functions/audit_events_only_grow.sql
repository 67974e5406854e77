-- The log only grows: a row is never changed, and removed only where retention or the deletion of
-- its account says so for its own transaction (lib/domain/audit/remove-audit-events.ts). Its
-- triggers fire ALWAYS: a session that plays replica is refused too.
CREATE OR REPLACE FUNCTION audit_events_only_grow()
RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('lathe.audit_removal', true) = 'allowed' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'audit_events only grows: % is refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;
