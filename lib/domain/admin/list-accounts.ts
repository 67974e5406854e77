import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import { type Principal, requireAdmin } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

/**
 * An account as an admin sees it: who it is, what it may do and what it has; nothing of what it
 * made.
 */
export interface AccountRow {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  superAgentAccess: boolean;
  blocked: boolean;
  /** Millionths of a credit, as PostgreSQL writes them. */
  availableMicros: string;
  readPerMinute: number | null;
  runsPerMinute: number | null;
  writePerHour: number | null;
  createdAt: Date;
}

/**
 * $1 is a part of an address in lower case, or empty for every account; the account has one row
 * however many users match.
 */
export const ACCOUNT_ROWS = `
SELECT a.id, a.name, u.email, u.is_admin AS "isAdmin", a.super_agent_access AS "superAgentAccess",
  a.blocked, a.available_micros AS "availableMicros",
  a.read_per_minute AS "readPerMinute", a.runs_per_minute AS "runsPerMinute",
  a.write_per_hour AS "writePerHour", a.created_at AS "createdAt"
FROM accounts a
JOIN LATERAL (SELECT email, is_admin FROM users WHERE account_id = a.id AND strpos(email, $1) > 0
  ORDER BY id LIMIT 1) u ON true`;

const PAGE = "($2::uuid IS NULL OR a.id < $2) ORDER BY a.id DESC LIMIT $3";
const LIST = `${ACCOUNT_ROWS} WHERE ${PAGE}`;
// The addresses are read once, not for each account anew: where none matches that is most of the
// work.
const SEARCH = `${ACCOUNT_ROWS} WHERE a.id IN (SELECT account_id FROM users WHERE email LIKE $4)
    AND ${PAGE}`;

/**
 * Every account whose address holds `search` (any case; empty: all), newest first. @throws
 * ServiceError NOT_FOUND for all but admins
 */
export async function listAccounts(
  principal: Principal,
  page: PageRequest,
  search: string,
): Promise<Page<AccountRow>> {
  requireAdmin(principal);
  const part = search.trim().toLowerCase();
  const values = [part, readCursor(page.cursor), rowsToRead(page)];
  const pattern = `%${part.replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await (part === ""
    ? postgres().query<AccountRow>(LIST, values)
    : postgres().query<AccountRow>(SEARCH, [...values, pattern]));
  return toPage(rows, page.limit, (account) => account.id);
}
