import "server-only";
import { readBatches } from "@/lib/engine/events/read-batches";
import { postgres, type Queryable } from "@/lib/platform/postgres";

/** Up to `limit` stored lines of a run with numbers above `after`, in order. */
export async function readRunEvents(runId: string, after: number, limit: number, pool: Queryable = postgres()): Promise<string[]> {
  const batches = await readBatches(pool, runId, after + 1, limit);
  return batches.flatMap(({ first, lines }) => lines.slice(Math.max(0, after + 1 - first))).slice(0, limit);
}
