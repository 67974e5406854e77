import "server-only";
import { SILENCE_SECONDS } from "@/lib/engine/processes";
import { SettingsError } from "@/lib/env";
import { log } from "@/lib/platform/log";
import { connectionsMax, type Queryable } from "@/lib/platform/postgres";

/**
 * What the server, the database and the role let in, without what is kept for superusers (and, from
 * PostgreSQL 16 on, for whom the operator keeps it), and how many processes there are with this
 * one, which has not shown yet that it lives.
 */
const ROOM = `
  SELECT least(
      current_setting('max_connections')::int -
      current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()),
      (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user)) AS room,
    (SELECT 1 + count(*)::int FROM engine_processes
      WHERE seen_at > clock_timestamp() - make_interval(secs => ${SILENCE_SECONDS})) AS processes`;

/**
 * Looks before this process begins whether the database has room for all that live, each taken for
 * one like this. Says so in the log where it has not: the last ones to ask would get no connection,
 * on a busy day.
 * @throws SettingsError where there is no room for this process alone
 */
export async function requireConnections(
  database: Queryable,
  warn: (sentence: string) => void = (sentence) => log.warn(sentence),
): Promise<void> {
  const { rows } = await database.query<{ room: number; processes: number }>(ROOM);
  const [{ room, processes } = { room: Number.POSITIVE_INFINITY, processes: 1 }] = rows;
  const each = connectionsMax();
  if (each > room)
    throw new SettingsError(
      `The database lets in ${room} connections and this process opens up to ${each}; raise ` +
        "max_connections (or the limit of the role or database), or lower DATABASE_POOL_SIZE.",
    );
  if (each * processes > room)
    warn(
      `The database lets in ${room} connections, and ${processes} processes open up to ${each} ` +
        "each; raise max_connections, or lower DATABASE_POOL_SIZE or the number of processes.",
    );
}
