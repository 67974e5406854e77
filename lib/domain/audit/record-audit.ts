import "server-only";
import type { Actor, Principal } from "@/lib/domain/principal";
import type { AuditAction } from "@/lib/model/audit";
import { type AuditLine, printAuditLine } from "@/lib/platform/audit-lines";
import { firstIdAt, newId } from "@/lib/platform/ids";
import { afterCommit, type Queryable } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

type Fact = string | number | boolean | null | readonly string[];

export interface AuditEntry {
  action: AuditAction;
  /** What was acted on; `id` is a uuid. */
  object?: { kind: string; id?: string | null; label?: string | null };
  /**
   * What changed, by field: a fact, or what it was and is. Never a secret's value, a password or a
   * whole key: name the field, not what it holds.
   */
  changes?: Record<string, Fact | { from: Fact; to: Fact } | undefined>;
  /**
   * In whose log it stands: the principal's account, unless said otherwise; null for what is of no
   * account.
   */
  accountId?: string | null;
  /** Who acted, where it is not the principal's own actor. */
  actor?: Actor;
  /**
   * Within so many minutes, the same act of the same actor from the same address on the same object
   * is recorded once: for what can be repeated at will.
   */
  onceInMinutes?: number;
}

const TEXT_MAX_CHARACTERS = 500;
const CHANGES_MAX_CHARACTERS = 16_000;

const INSERT = `
INSERT INTO audit_events (id, account_id, actor_kind, actor_id, actor_label, address, user_agent,
  action, object_kind, object_id, object_label, changes, created_at)
SELECT $1::uuid, $2::uuid, $3, $4::uuid, $5, $6, $7, $8, $9, $10::uuid, $11, $12::jsonb,
  $13::timestamptz`;

const NOT_LATELY = `
WHERE NOT EXISTS (SELECT 1 FROM audit_events WHERE account_id IS NOT DISTINCT FROM $2
    AND action = $8 AND id >= $14 AND actor_kind = $3
  AND actor_id IS NOT DISTINCT FROM $4 AND address IS NOT DISTINCT FROM $6
  AND object_id IS NOT DISTINCT FROM $10 AND object_label IS NOT DISTINCT FROM $11)`;

/**
 * Writes an act into the audit log. Call it with the transaction of the act itself: both become
 * true, or neither. One statement, and no lock that others wait for.
 * Once committed it is printed too (`printAuditLine`). Without a principal it is an act of the
 * service as a whole, in no account's log.
 */
export async function recordAudit(
  tx: Queryable,
  principal: Principal | null,
  entry: AuditEntry,
): Promise<void> {
  const at = nextMoment();
  const actor = entry.actor ?? principal?.actor ?? SYSTEM;
  const { action, object } = entry;
  const line: AuditLine = {
    audit_id: newId(at.getTime()),
    action,
    account_id: entry.accountId === undefined ? (principal?.accountId ?? null) : entry.accountId,
    actor: {
      kind: actor.kind,
      id: actor.id,
      label: storable(actor.label),
      address: storable(actor.address),
      user_agent: storable(actor.userAgent),
    },
    object: object
      ? { kind: object.kind, id: object.id ?? null, label: storable(object.label) }
      : null,
    changes: storableChanges(entry.changes),
  };
  if (await insert(tx, line, at, entry.onceInMinutes)) afterCommit(tx, () => printAuditLine(line));
}

/** @returns false for what was recorded lately, and is not again */
async function insert(
  tx: Queryable,
  line: AuditLine,
  at: Date,
  onceInMinutes: number | undefined,
): Promise<boolean> {
  const { actor, object } = line;
  const values = [
    line.audit_id,
    line.account_id,
    actor.kind,
    actor.id,
    actor.label,
    actor.address,
    actor.user_agent,
    line.action,
    object?.kind ?? null,
    object?.id ?? null,
    object?.label ?? null,
    JSON.stringify(line.changes),
    at,
  ];
  if (onceInMinutes === undefined) await tx.query({ name: "record-audit", text: INSERT, values });
  else {
    const stored = await tx.query(`${INSERT} ${NOT_LATELY}`, [
      ...values,
      firstIdAt(at.getTime() - onceInMinutes * 60_000),
    ]);
    return stored.rowCount === 1;
  }
  return true;
}

const auditClock = definePart("audit-clock", () => ({ time: 0 }));

/**
 * Now, but later than every event of this process before: the events of one act keep their order,
 * which is the order of their ids.
 */
function nextMoment(): Date {
  const last = auditClock();
  last.time = Math.max(Date.now(), last.time + 1);
  return new Date(last.time);
}

const SYSTEM: Actor = { kind: "system", id: null, label: null, address: null, userAgent: null };

/** What a client sent may be long, and hold what PostgreSQL refuses. */
function storable(text: string | null | undefined): string | null {
  return text === null || text === undefined
    ? null
    : text.replaceAll("\u0000", "\ufffd").slice(0, TEXT_MAX_CHARACTERS).toWellFormed();
}

function storableChanges(changes: AuditEntry["changes"]): unknown {
  const text = JSON.stringify(changes ?? {}).replaceAll("\\u0000", "\\ufffd");
  return text.length <= CHANGES_MAX_CHARACTERS
    ? JSON.parse(text)
    : { changed: Object.keys(changes ?? {}) };
}
