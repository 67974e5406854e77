import "server-only";
import { DriverReplaced, LogTakenOver } from "@/lib/engine/events/event-rows";
import type { CheckedOut, RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { callSql } from "@/lib/platform/call-sql";
import { retryTransient } from "@/lib/platform/is-transient-error";
import { afterCommit, type Queryable } from "@/lib/platform/postgres";
import type { LogBatch } from "@/lib/platform/sql-functions";

/**
 * How long the database may be away before a write is given up; whoever repeats the step finds what
 * was stored.
 */
const GIVE_UP_MS = 30_000;

/**
 * Appends lines to a run's log within the caller's transaction, which fails when the log is
 * another's.
 * @param message null where the message that was begun last is whole with this
 * @throws LogTakenOver
 */
export async function appendRunLog(
  tx: Queryable,
  writer: RunLogWriter,
  bodies: readonly RunEventBody[],
  message?: null,
): Promise<void> {
  const checkedOut = await writer.checkOut(bodies, message);
  afterCommit(tx, checkedOut.stored, checkedOut.restore);
  try {
    await callSql(tx, "append_run_log", { log: checkedOut.batch });
  } catch (error) {
    throw toLogError(error, writer);
  }
}

/**
 * Stores lines together with what they say, by one statement of the caller's. An error that leaves
 * open whether it was stored is the normal fault: the log tells, as nobody else can have moved it;
 * what was not stored is tried again.
 * @param store takes `append_run_log`'s batch, and calls it in a function of the database
 * @throws LogTakenOver, DriverReplaced; whatever the statement raises
 */
export async function storeWithLog(
  writer: RunLogWriter,
  bodies: readonly RunEventBody[],
  message: null | undefined,
  store: (log: LogBatch) => Promise<unknown>,
): Promise<void> {
  const checkedOut = await writer.checkOut(bodies, message);
  const write = async (failures: number) => {
    if (failures === 0 || !(await isStored(writer, checkedOut))) await store(checkedOut.batch);
  };
  try {
    await retryTransient(write, {
      giveUpMs: GIVE_UP_MS,
      warning: `a write of the run ${writer.runId} is tried again`,
    });
  } catch (error) {
    checkedOut.restore();
    throw toLogError(error, writer);
  }
  checkedOut.stored();
}

async function isStored(writer: RunLogWriter, { batch }: CheckedOut): Promise<boolean> {
  const { rows } = await writer.hub.pool.query<{ moved: boolean }>(
    "SELECT next_sequence > $3 AS moved FROM run_logs WHERE run_id = $1 AND writer = $2",
    [writer.runId, writer.fence, batch.first],
  );
  if (!rows[0]) throw new LogTakenOver(writer.runId);
  return rows[0].moved;
}

/**
 * What the functions of the database raise for a writer that was replaced (LT002), or an engine run
 * that was (LT001).
 */
function toLogError(error: unknown, writer: RunLogWriter): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "LT001") return new DriverReplaced(writer.runId);
  if (code !== "LT002") return error;
  writer.lose();
  return new LogTakenOver(writer.runId);
}
