import "server-only";
import type { ActorKind } from "@/lib/model/audit";

/** Who acts and from where, as the audit log tells it. Nothing is ever allowed or refused because of it. */
export interface Actor {
  kind: ActorKind;
  id: string | null;
  /** An e-mail address, or a key's last four characters. */
  label: string | null;
  address: string | null;
  userAgent: string | null;
}

/** Who asks. Every verb takes one, and every query by id has its account in the `where`. */
export interface Principal {
  accountId: string;
  /** Set for an app key: the one agent it may run. */
  agentId: string | null;
  via: "key" | "session" | "system";
  userId: string | null;
  /** Of a signed-in user: the session that asks. */
  sessionId?: string;
  isAdmin: boolean;
  blocked: boolean;
  superAgentAccess: boolean;
  /** Writes an hour; null where the hourly cap does not apply (the system; a session before its request is counted). */
  writePerHour: number | null;
  /** Absent: the service itself. */
  actor?: Actor;
}
