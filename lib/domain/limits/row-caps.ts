import "server-only";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { type CapName, type CountedRows, ROW_CAPS, type RowCap } from "@/lib/model/limits";
import { callSql } from "@/lib/platform/call-sql";
import type { Queryable } from "@/lib/platform/postgres";

/**
 * The service's own number of a cap; `streams` has none: it follows the account's budget of starts
 * a minute.
 */
export function standardCap(name: Exclude<CapName, "streams">): number {
  const numbers = env();
  switch (name) {
    case "agents":
      return numbers.MAX_AGENTS_PER_ACCOUNT;
    case "versions":
      return numbers.MAX_VERSIONS_PER_AGENT;
    case "workspaces":
      return numbers.MAX_WORKSPACES_PER_ACCOUNT;
    case "files":
      return numbers.MAX_FILES_PER_ACCOUNT;
    case "schedules":
      return numbers.MAX_SCHEDULES_PER_ACCOUNT;
    case "conversations":
      return numbers.MAX_CONVERSATIONS_PER_ACCOUNT;
    case "secrets":
      return numbers.MAX_SECRETS_PER_ACCOUNT;
    case "connections":
      return numbers.MAX_CONNECTIONS_PER_ACCOUNT;
    case "end_user_secrets":
      return numbers.MAX_END_USER_SECRETS_PER_ACCOUNT;
    case "end_user_connections":
      return numbers.MAX_END_USER_CONNECTIONS_PER_ACCOUNT;
    case "skills":
      return numbers.MAX_SKILLS_PER_ACCOUNT;
    case "keys":
      return numbers.MAX_KEYS_PER_ACCOUNT;
    case "app_keys":
      return numbers.MAX_APP_KEYS_PER_AGENT;
    case "uploads":
      return numbers.MAX_UPLOADS_PER_ACCOUNT;
    case "schedule_minutes":
      return numbers.SCHEDULE_LEAST_MINUTES;
  }
}

/** An account's own number of a cap, or the service's. */
export async function readCap(
  on: Queryable,
  accountId: string,
  name: Exclude<CapName, "streams">,
): Promise<number> {
  return (await countedRows(on, accountId, name)).cap;
}

/**
 * Refuses a row too many. Call it after the insert, in its transaction: the insert has counted the
 * row (a trigger's upsert) and holds the counter, so that of many at once exactly as many stay as
 * there is room for.
 * @throws ServiceError CONFLICT that names the cap
 */
export async function requireRoom(
  tx: Queryable,
  accountId: string,
  name: CountedRows,
): Promise<void> {
  const { count, cap } = await countedRows(tx, accountId, name);
  if (count > cap) throw capReached(name, cap);
}

/** The refusal of one row too many. */
export function capReached(name: RowCap, cap: number): ServiceError {
  const { what, owner, advice } = ROW_CAPS[name];
  return new ServiceError(
    "CONFLICT",
    `${owner} may have at most ${cap} ${what}. Nothing was stored. ${advice}`,
  );
}

/** How many rows of a kind an account has, where they are counted, and how many it may have. */
async function countedRows(
  on: Queryable,
  accountId: string,
  name: Exclude<CapName, "streams">,
): Promise<{ count: number; cap: number }> {
  const standard = standardCap(name);
  const [row] = await callSql(on, "counted_rows", { account: accountId, name, standard });
  return row ?? { count: 0, cap: standard };
}
