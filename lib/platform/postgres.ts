import "server-only";
import pg from "pg";
import { env } from "@/lib/env";
import { log } from "@/lib/platform/log";
import { once } from "@/lib/platform/once";

/** The process's one connection pool. Prisma's adapter, the event log and the embedded executor share it. */
export function postgres(): pg.Pool {
  return once("postgres", () => {
    const pool = new pg.Pool({
      connectionString: env().DATABASE_URL,
      max: env().DATABASE_POOL_SIZE,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: 10_000,
    });
    // A connection that is cut while somebody holds it idle would end the process; its next query says that it is gone.
    pool.on("connect", (client) => client.on("error", () => {}));
    pool.on("error", (error) => log.warn({ err: error.message }, "an idle database connection was lost"));
    return pool;
  });
}

export type Queryable = Pick<pg.Pool, "query">;
