import "server-only";
import type pg from "pg";
import type { Queryable } from "@/lib/platform/postgres";

export type Transaction = pg.PoolClient;

const commits = new WeakMap<object, (() => void)[]>();

/** Runs `work` in one transaction on a connection of `pool`. Commits what it returns; rolls back and rethrows what it throws. */
export async function inTransaction<T>(pool: Pick<pg.Pool, "connect">, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const news: (() => void)[] = [];
  commits.set(client, news);
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const value = await work(client);
    await client.query("COMMIT");
    commits.delete(client);
    for (const tell of news) tell();
    return value;
  } catch (error) {
    await client.query("ROLLBACK").catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    commits.delete(client);
    client.release(broken);
  }
}

/** Has `tell` called once what was written through `on` is committed: at the end of its transaction, or now where each statement is one of its own. */
export function afterCommit(on: Queryable, tell: () => void): void {
  const news = commits.get(on);
  if (news) news.push(tell);
  else tell();
}
