import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import { type Principal, requireAdmin } from "@/lib/domain/principal";
import type { ActorKind, AuditAction } from "@/lib/model/audit";
import { firstIdAt } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";

export interface AuditEvent {
  id: string;
  accountId: string | null;
  /** An address of the account's first user; null where the account is gone, or there is none. */
  accountEmail: string | null;
  actorKind: ActorKind;
  actorId: string | null;
  actorLabel: string | null;
  address: string | null;
  userAgent: string | null;
  action: string;
  objectKind: string | null;
  objectId: string | null;
  objectLabel: string | null;
  changes: Record<string, unknown>;
  createdAt: Date;
}

export interface AuditFilter {
  action: AuditAction | null;
  /** From this moment on. */
  after: Date | null;
  /** Before this moment. */
  before: Date | null;
}

const COLUMNS = `e.id, e.account_id AS "accountId", e.actor_kind AS "actorKind",
  e.actor_id AS "actorId", e.actor_label AS "actorLabel", e.address,
  e.user_agent AS "userAgent", e.action, e.object_kind AS "objectKind", e.object_id AS "objectId",
  e.object_label AS "objectLabel", e.changes,
  e.created_at AS "createdAt",
  (SELECT email FROM users u WHERE u.account_id = e.account_id ORDER BY u.id
    LIMIT 1) AS "accountEmail"`;

// Times are ranges of ids, so that every filter stays within one index, read backwards.
const FITS =
  "($2::text IS NULL OR e.action = $2) AND e.id >= $3 AND e.id < least($4::uuid, $5::uuid) " +
  "ORDER BY e.id DESC LIMIT $6";
const OF_ACCOUNT = `SELECT ${COLUMNS} FROM audit_events e WHERE e.account_id = $1 AND ${FITS}`;
const OF_ALL = `SELECT ${COLUMNS} FROM audit_events e WHERE ($1::uuid IS NULL OR e.account_id = $1)
                  AND ${FITS}`;

/**
 * What happened in the account, newest first. Who works for the service is not named: an admin is
 * “an admin”, from nowhere.
 */
export async function listAuditEvents(
  principal: Principal,
  page: PageRequest,
  filter: AuditFilter,
): Promise<Page<AuditEvent>> {
  const events = await read(OF_ACCOUNT, principal.accountId, page, filter);
  return { ...events, data: events.data.map(withoutStaff) };
}

/**
 * What happened in every account, or in one, and to the service as a whole. @throws ServiceError
 * NOT_FOUND for all but admins
 */
export async function listAllAuditEvents(
  principal: Principal,
  page: PageRequest,
  filter: AuditFilter & { accountId: string | null },
): Promise<Page<AuditEvent>> {
  requireAdmin(principal);
  return read(OF_ALL, filter.accountId, page, filter);
}

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

async function read(
  sql: string,
  accountId: string | null,
  page: PageRequest,
  { action, after, before }: AuditFilter,
): Promise<Page<AuditEvent>> {
  const end = before === null ? LAST_ID : firstIdAt(before.getTime());
  const values = [
    accountId,
    action,
    firstIdAt(after?.getTime() ?? 0),
    end,
    readCursor(page.cursor) ?? LAST_ID,
    rowsToRead(page),
  ];
  // Not a named statement: its plan depends on which filters are set.
  const { rows } = await postgres().query<AuditEvent>(sql, values);
  return toPage(rows, page.limit, (event) => event.id);
}

function withoutStaff(event: AuditEvent): AuditEvent {
  if (event.actorKind !== "admin" && event.actorKind !== "operator") return event;
  return { ...event, actorId: null, actorLabel: null, address: null, userAgent: null };
}
