import "server-only";
import type pg from "pg";

const guarded = new WeakSet<pg.Pool>();

/**
 * Keeps a cut connection from ending the process: a client that is checked out and idle at that moment emits `error`, and nobody listens.
 * Whoever uses the client next gets the error from its query.
 */
export function guardPool(pool: pg.Pool): void {
  if (guarded.has(pool)) return;
  guarded.add(pool);
  pool.on("connect", (client) => client.on("error", () => {}));
}
