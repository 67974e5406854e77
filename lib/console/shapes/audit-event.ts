import type { ActorKind } from "@/lib/model/audit";

/** What somebody did, as the audit log tells it. */
export interface AuditEvent {
  audit_event_id: string;
  action: string;
  actor: { kind: ActorKind; id: string | null; label: string | null };
  address: string | null;
  user_agent: string | null;
  object: { kind: string; id: string | null; label: string | null } | null;
  changes: Record<string, unknown>;
  created_at: string;
  /** In the whole service's log only. */
  account_id?: string | null;
  account_email?: string | null;
}
