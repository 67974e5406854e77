import "server-only";
import { LIFE_LOCK } from "@/lib/engine/embedded/life-lock";
import { ServiceError } from "@/lib/model/errors";
import type { Queryable } from "@/lib/platform/postgres";

/** A process of the service holds the lock of its number while it lives. */
const RUNNING = `
SELECT EXISTS (SELECT 1 FROM engine_processes p JOIN pg_locks l ON l.locktype = 'advisory' AND l.classid::bigint = $1 AND l.objid::bigint = p.id AND l.granted
  WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS running`;

export async function isServiceRunning(on: Queryable): Promise<boolean> {
  const { rows } = await on.query<{ running: boolean }>(RUNNING, [LIFE_LOCK]);
  return rows[0]?.running ?? false;
}

/** @throws ServiceError CONFLICT while a service works on this database */
export async function requireStopped(on: Queryable, why: string): Promise<void> {
  if (await isServiceRunning(on)) throw new ServiceError("CONFLICT", `A service runs on this database. Stop it first: ${why}`);
}
