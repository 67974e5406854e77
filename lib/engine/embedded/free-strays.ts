import "server-only";
import type { Engine } from "@/lib/engine/embedded/engine";
import { inTransaction } from "@/lib/engine/embedded/in-transaction";
import { pokeRuns } from "@/lib/engine/embedded/poke";

/**
 * Frees runs that this process owns and does not drive: the answer to its claim was lost with a connection. A run must be found twice,
 * as it may be on its way from the claim to its driver. Gives what to pass in the next time: the finds, by run and attempt.
 */
export async function freeStrays(engine: Engine, before: ReadonlySet<string>): Promise<Set<string>> {
  const { rows } = await engine.pool.query<{ id: string; attempt: number }>(
    "select id::text, attempt from engine_runs where owner = $1 and status = 'active'",
    [engine.owner()],
  );
  const strays = rows.filter(({ id }) => !engine.drivers.has(id));
  const again = strays.filter(({ id, attempt }) => before.has(`${id}:${attempt}`));
  if (again.length > 0) {
    await inTransaction(engine.pool, async (tx) => {
      const freed = await tx.query<{ id: string }>(
        `update engine_runs run set owner = null from unnest($1::uuid[], $2::int[]) as stray(id, attempt)
         where run.id = stray.id and run.attempt = stray.attempt and run.owner = $3 and run.status = 'active' returning run.id::text`,
        [again.map(({ id }) => id), again.map(({ attempt }) => attempt), engine.owner()],
      );
      await pokeRuns(
        tx,
        freed.rows.map(({ id }) => id),
      );
    });
  }
  return new Set(strays.map(({ id, attempt }) => `${id}:${attempt}`));
}
