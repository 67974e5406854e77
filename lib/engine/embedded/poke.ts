import "server-only";
import { DRIVE_TASK, JOB_MAX_ATTEMPTS } from "@/lib/engine/embedded/tasks";
import type { Queryable } from "@/lib/platform/postgres";

/** SQL that queues a run to be driven: now, or at `runAt`. A later poke of the same run replaces an earlier one. */
export function pokeSql(runId: string, runAt = "now()"): string {
  return `graphile_worker.add_job('${DRIVE_TASK}', json_build_object('id', ${runId}), job_key := 'run:' || ${runId}, run_at := ${runAt}, max_attempts := ${JOB_MAX_ATTEMPTS})`;
}

/** Queues runs to be driven at once. Harmless for one that is driven already or has ended. */
export async function pokeRuns(tx: Queryable, runIds: string[]): Promise<void> {
  if (runIds.length === 0) return;
  await tx.query(`select count(${pokeSql("id")}) from unnest($1::text[]) as run(id)`, [runIds]);
}
