import "server-only";
import { CANCELLED_ERROR, closeEndedRun, LogHeld, settleRun } from "@/lib/domain/runs/settle-run";
import { LogTakenOver } from "@/lib/engine/events/log-taken-over";
import { onCancel } from "@/lib/engine/events/on-cancel";
import { openRunLog, type RunLogWriter } from "@/lib/engine/events/open-run-log";
import { RunFailure } from "@/lib/model/run/run-failure";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

/** What a step writes to, and hears a cancel by. */
export interface RunStep {
  runId: string;
  log: RunLogWriter;
  /** Aborted when the run is cancelled or another step has taken its log over. */
  signal: AbortSignal;
  /** Waits for something that accounts share; the run's time limit stands still meanwhile. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
}

const LEASE_SECONDS = 30;

/**
 * Runs one step of a run as the only writer of its log. A `RunFailure` ends the run as failed; a cancel ends the step; both give `ended`.
 * Whatever else is thrown reaches the engine, which repeats the step.
 */
export async function withRunLog<T>(runId: string, ended: T, work: (step: RunStep) => Promise<T>): Promise<T> {
  const writer = await openRunLog(runId, { leaseSeconds: LEASE_SECONDS });
  if (!writer) return ended;
  const abort = new AbortController();
  const unsubscribe = onCancel(runId, () => abort.abort(CANCELLED_ERROR));
  try {
    if (await isEnded(runId)) abort.abort(CANCELLED_ERROR);
    const outcome = abort.signal.aborted
      ? ended
      : await work({ runId, log: writer, signal: AbortSignal.any([abort.signal, writer.signal]) });
    await writer.flush();
    return abort.signal.aborted ? await leave(runId, writer, ended) : outcome;
  } catch (error) {
    if (error instanceof LogTakenOver || error instanceof LogHeld) return ended;
    if (abort.signal.aborted || (await isEnded(runId))) return leave(runId, writer, ended);
    if (!(error instanceof RunFailure)) throw error;
    await writer.flush();
    await settleRun(runId, { status: "failed", error: { code: error.code, message: error.message } }, writer.fence);
    return ended;
  } finally {
    unsubscribe();
    await writer.close().catch((error) => log.warn({ err: error, run_id: runId }, "a run's log was not released; its lease will run out"));
  }
}

/** The run was ended by somebody else while this step ran: this step, which holds the log, writes the last line. */
async function leave<T>(runId: string, writer: RunLogWriter, ended: T): Promise<T> {
  await writer.flush().catch((error) => log.warn({ err: error, run_id: runId }, "a cancelled run's last events were not stored"));
  await closeEndedRun(runId, writer.fence);
  return ended;
}

async function isEnded(runId: string): Promise<boolean> {
  const { rowCount } = await postgres().query({
    name: "is-ended",
    text: "SELECT 1 FROM runs WHERE id = $1 AND completed_at IS NOT NULL",
    values: [runId],
  });
  return rowCount !== 0;
}
