import "server-only";
import { LIFE_LOCK, SILENCE_SECONDS } from "@/lib/engine/embedded/processes";
import { ServiceError } from "@/lib/model/errors";
import type { Queryable } from "@/lib/platform/postgres";

/** A process of the service beats; one of an older version, which does not, holds the advisory lock of its number while it lives. */
const RUNNING = `
SELECT EXISTS (SELECT 1 FROM engine_processes p WHERE p.seen_at > clock_timestamp() - interval '${SILENCE_SECONDS} seconds'
  OR (p.seen_at IS NULL AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${LIFE_LOCK} AND l.objid = p.id
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())))) AS running`;

export async function isServiceRunning(on: Queryable): Promise<boolean> {
  const { rows } = await on.query<{ running: boolean }>(RUNNING);
  return rows[0]?.running ?? false;
}

/** @throws ServiceError CONFLICT while a service works on this database */
export async function requireStopped(on: Queryable, why: string): Promise<void> {
  if (await isServiceRunning(on)) throw new ServiceError("CONFLICT", `A service runs on this database. Stop it first: ${why}`);
}
