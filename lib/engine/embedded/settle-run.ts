import "server-only";
import type pg from "pg";
import { enqueueEvent } from "@/lib/engine/embedded/enqueue-event";
import { inTransaction } from "@/lib/engine/embedded/in-transaction";
import { answerInvocation } from "@/lib/engine/embedded/invocation";
import type { StepOutcome } from "@/lib/engine/embedded/resolve-wait";
import { type Claim, FENCE } from "@/lib/engine/embedded/run-store";
import type { Queryable } from "@/lib/platform/postgres";

const SETTLE = {
  name: "engine-settle",
  text: `
    with run as (
      update engine_runs set status = $4, output = $5, ended_at = now(), owner = null, due_at = null where ${FENCE} returning id
    ), gone as (
      delete from engine_waits using run where run_id = run.id
    ), slots as (
      delete from engine_slots using run where run_id = run.id
    )
    select count(*)::int as settled from run`,
};

/**
 * Ends a run, together with all that follows from its end: who invoked it gets the outcome, a failure is told to the functions that
 * listen for it (`tellFailure`), its place is free. False when this driver has lost the run; then nothing happens.
 */
export async function settleRun(
  pool: pg.Pool,
  claim: Claim,
  outcome: StepOutcome,
  { tellFailure }: { tellFailure: boolean },
): Promise<boolean> {
  const failed = "error" in outcome;
  const settle = async (tx: Queryable) => {
    const output = JSON.stringify((failed ? outcome.error : outcome.data) ?? null);
    const values = [claim.runId, claim.attempt, claim.owner, failed ? "failed" : "completed", output];
    const { rows } = await tx.query<{ settled: number }>({ ...SETTLE, values });
    return (rows[0]?.settled ?? 0) > 0;
  };
  if (!(failed && tellFailure) && !claim.event.id.startsWith("invoke:")) return settle(pool);
  return inTransaction(pool, async (tx) => {
    if (!(await settle(tx))) return false;
    await answerInvocation(tx, claim.event.id, outcome);
    if (failed && tellFailure) {
      const data = { function_id: claim.functionId, run_id: claim.runId, error: outcome.error, event: claim.event };
      await enqueueEvent(tx, { id: `failed:${claim.runId}`, name: "inngest/function.failed", data });
    }
    return true;
  });
}
