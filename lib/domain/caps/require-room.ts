import "server-only";
import { standardCap } from "@/lib/domain/caps/account-caps";
import { type CountedRows, ROW_CAPS, type RowCap } from "@/lib/model/account-caps";
import { ServiceError } from "@/lib/model/errors";
import type { Queryable } from "@/lib/platform/postgres";

const COUNT = `
SELECT coalesce((SELECT count FROM row_counts WHERE account_id = a.id AND name = $2), 0) AS count, (a.row_caps ->> $2)::int AS cap
FROM accounts a WHERE a.id = $1`;

/**
 * Refuses a row too many. Call it after the insert, in its transaction: the insert has counted the row (a trigger's upsert) and holds the counter, so
 * that of many at once exactly as many stay as there is room for.
 * @throws ServiceError CONFLICT that names the cap
 */
export async function requireRoom(tx: Queryable, accountId: string, name: CountedRows): Promise<void> {
  const { count, cap } = await readCount(tx, accountId, name);
  if (count > cap) throw capReached(name, cap);
}

/** The refusal of one row too many. */
export function capReached(name: RowCap, cap: number): ServiceError {
  const { what, owner, advice } = ROW_CAPS[name];
  return new ServiceError("CONFLICT", `${owner} may have at most ${cap} ${what}. Nothing was stored. ${advice}`);
}

async function readCount(on: Queryable, accountId: string, name: CountedRows): Promise<{ count: number; cap: number }> {
  const { rows } = await on.query<{ count: number; cap: number | null }>({
    name: "read-row-count",
    text: COUNT,
    values: [accountId, name],
  });
  return { count: rows[0]?.count ?? 0, cap: rows[0]?.cap ?? standardCap(name) };
}
