import "server-only";
import type pg from "pg";
import { isUnanswered } from "@/lib/platform/is-transient-error";
import type { Queryable } from "@/lib/platform/postgres";

export type Transaction = pg.PoolClient;

interface Ends {
  commit: () => void;
  rollback?: () => void;
}

const ends = new WeakMap<object, Ends[]>();

/** Runs `work` in one transaction on a connection of `pool`. Commits what it returns; rolls back and rethrows what it throws. */
export async function inTransaction<T>(pool: Pick<pg.Pool, "connect">, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const told: Ends[] = [];
  ends.set(client, told);
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const value = await work(client);
    await client.query("COMMIT");
    ends.delete(client);
    for (const { commit } of told) commit();
    return value;
  } catch (error) {
    if (isUnanswered(error)) broken = error;
    else
      await client.query("ROLLBACK").catch((lost: Error) => {
        broken = lost;
      });
    for (const { rollback } of told) rollback?.();
    throw error;
  } finally {
    ends.delete(client);
    client.release(broken);
  }
}

/**
 * Has `commit` called once what was written through `on` is committed: at the end of its transaction, or now where each statement is one of its own;
 * `rollback` when nothing of it was kept.
 */
export function afterCommit(on: Queryable, commit: () => void, rollback?: () => void): void {
  const told = ends.get(on);
  if (told) told.push({ commit, ...(rollback && { rollback }) });
  else commit();
}
