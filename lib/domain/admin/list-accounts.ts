import "server-only";
import { ACCOUNT_ROWS, type AccountRow } from "@/lib/domain/admin/account-row";
import { requireAdmin } from "@/lib/domain/admin/require-admin";
import { type Page, type PageRequest, readCursor, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

const LIST = `${ACCOUNT_ROWS} WHERE ($2::uuid IS NULL OR a.id < $2) ORDER BY a.id DESC LIMIT $3`;

/** Every account whose address holds `search` (any case; empty: all), newest first. @throws ServiceError NOT_FOUND for all but admins */
export async function listAccounts(principal: Principal, page: PageRequest, search: string): Promise<Page<AccountRow>> {
  requireAdmin(principal);
  const { rows } = await postgres().query<AccountRow>(LIST, [search.trim().toLowerCase(), readCursor(page.cursor), page.limit + 1]);
  return toPage(rows, page.limit, (account) => account.id);
}
