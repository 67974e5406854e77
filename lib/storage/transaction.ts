import "server-only";
import type pg from "pg";
import { postgres } from "@/lib/platform/postgres";

export type Transaction = pg.PoolClient;

/**
 * Runs `work` in one transaction of plain SQL: for the paths whose statements decide money, states or limits.
 * Commits what it returns; rolls back and rethrows what it throws.
 */
export async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await postgres().connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const value = await work(client);
    await client.query("COMMIT");
    return value;
  } catch (error) {
    await client.query("ROLLBACK").catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
