import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

export interface SessionView {
  id: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  /** Exact to a minute. */
  lastSeenAt: Date;
  expiresAt: Date;
  /** Whether it is the one that asks. */
  isCurrent: boolean;
}

const LIST = `
SELECT s.id, s.address, s.user_agent AS "userAgent", s.created_at AS "createdAt",
  s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt",
  s.id IS NOT DISTINCT FROM $5 AS "isCurrent"
FROM user_sessions s JOIN users u ON u.id = s.user_id
WHERE s.user_id = $1 AND s.account_id = $2 AND s.ended_at IS NULL AND s.expires_at > now()
  AND s.version = u.session_version
  AND ($3::uuid IS NULL OR s.id < $3)
ORDER BY s.id DESC LIMIT $4`;

/** The signed-in user's living sessions, newest first. */
export async function listSessions(
  principal: Principal,
  page: PageRequest,
): Promise<Page<SessionView>> {
  const values = [
    principal.userId,
    principal.accountId,
    readCursor(page.cursor),
    rowsToRead(page),
    principal.sessionId ?? null,
  ];
  const { rows } = await postgres().query<SessionView>(LIST, values);
  return toPage(rows, page.limit, (session) => session.id);
}
