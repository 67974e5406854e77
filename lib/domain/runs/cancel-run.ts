import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { CANCELLED_ERROR, closeEndedRun, moveRun } from "@/lib/domain/runs/settle-run";
import { dispatch } from "@/lib/engine/client";
import { notifyCancel } from "@/lib/engine/events/run-log-writer";
import { AGENT_ROUTE_KINDS, isTerminal, type RunKind } from "@/lib/model/run/run-status";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";

/**
 * Cancels a run: its status at once, and the model call in flight within a second. A live step then
 * charges what was used and writes the last line; without one it is written here. A terminal run
 * stays as it is.
 * @returns the run, and whether this call cancelled it
 * @throws ServiceError RUN_NOT_FOUND
 */
export async function cancelRun(
  principal: Principal,
  runId: string,
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
): Promise<{ run: RunView; cancelled: boolean }> {
  const run = await getRun(principal, runId, kinds);
  if (isTerminal(run.status)) return { run, cancelled: false };
  const moved = await transaction((tx) => cancelWithin(tx, run));
  if (moved) await tellCancelled(runId);
  return { run: await getRun(principal, runId, kinds), cancelled: moved };
}

/**
 * Moves a run to `cancelled`; its last line is still to be written (`tellCancelled`, behind the
 * commit). Whoever drives its engine hears of it, also where that is never called.
 * @returns false where it had ended before
 */
export async function cancelWithin(
  tx: Transaction,
  run: { id: string; accountId: string },
): Promise<boolean> {
  const row = await moveRun(tx, run, { status: "cancelled", error: CANCELLED_ERROR });
  if (!row) return false;
  await dispatch(tx, { id: newId(), name: "run/cancelled", data: { run_id: run.id } });
  return true;
}

/** Stops what works on a cancelled run, and writes its last line where nothing does. */
export async function tellCancelled(runId: string): Promise<void> {
  failpoint("cancel.committed");
  await notifyCancel(runId);
  failpoint("cancel.told");
  await closeEndedRun(runId, null);
}
