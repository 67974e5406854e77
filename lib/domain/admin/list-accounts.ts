import "server-only";
import { ACCOUNT_ROWS, type AccountRow } from "@/lib/domain/admin/account-row";
import { requireAdmin } from "@/lib/domain/admin/require-admin";
import { type Page, type PageRequest, readCursor, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

const PAGE = "($2::uuid IS NULL OR a.id < $2) ORDER BY a.id DESC LIMIT $3";
const LIST = `${ACCOUNT_ROWS} WHERE ${PAGE}`;
// The addresses are read once, not for each account anew: where none matches that is most of the work.
const SEARCH = `${ACCOUNT_ROWS} WHERE a.id IN (SELECT account_id FROM users WHERE email LIKE $4) AND ${PAGE}`;

/** Every account whose address holds `search` (any case; empty: all), newest first. @throws ServiceError NOT_FOUND for all but admins */
export async function listAccounts(principal: Principal, page: PageRequest, search: string): Promise<Page<AccountRow>> {
  requireAdmin(principal);
  const part = search.trim().toLowerCase();
  const values = [part, readCursor(page.cursor), page.limit + 1];
  const pattern = `%${part.replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await (part === ""
    ? postgres().query<AccountRow>(LIST, values)
    : postgres().query<AccountRow>(SEARCH, [...values, pattern]));
  return toPage(rows, page.limit, (account) => account.id);
}
