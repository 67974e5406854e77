import "server-only";
import type pg from "pg";

/** How to reach the database of a pool by a connection of one's own. */
export function connectionOf(pool: pg.Pool): pg.ClientConfig {
  const { connectionString, host, port, user, password, database, ssl } = pool.options;
  return connectionString ? { connectionString } : { host, port, user, password, database, ssl };
}
