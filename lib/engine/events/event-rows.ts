import "server-only";
import type { CheckedOut, RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { retryTransient } from "@/lib/platform/is-transient-error";
import { afterCommit, postgres, type Queryable } from "@/lib/platform/postgres";

/** Stored lines of one run with the numbers `first` to `last`, one each. */
export interface EventBatch {
  first: number;
  last: number;
  lines: string[];
}

/** An event as one line of NDJSON. `type` stands first, so that a terminal line is known by its beginning. `createdAt` in milliseconds since 1970. */
export function toEventLine(runId: string, sequence: number, createdAt: number, body: RunEventBody): string {
  const { type, ...rest } = body;
  return JSON.stringify({ type, sequence_number: sequence, run_id: runId, created_at: new Date(createdAt).toISOString(), ...rest });
}

export function isTerminalLine(line: string): boolean {
  return line.startsWith('{"type":"run.completed"') || line.startsWith('{"type":"run.failed"');
}

/** Payload: the number of the sending process, then run ids, all separated by blanks. */
export const EVENTS_CHANNEL = "run_events";
/** Payload: one run id. */
export const CANCEL_CHANNEL = "run_cancel";
/** Payload: the id of an account of which a key or a right was changed. Sent by triggers. */
export const PRINCIPAL_CHANNEL = "principal_changed";

/** The log has another writer by now, or its last line: nothing that this writer still held was stored, and nothing of it will be. */
export class LogTakenOver extends Error {
  override readonly name = "LogTakenOver";
  constructor(readonly runId: string) {
    super("the run's log was taken over or closed");
  }
}

/** The engine's run was cancelled, or has another driver: what was to be stored with its step's result was not. The log may still be this process's to end. */
export class DriverReplaced extends Error {
  override readonly name = "DriverReplaced";
  constructor(readonly runId: string) {
    super("the engine's run was cancelled, or has another driver");
  }
}

const READ = {
  name: "engine-log-read",
  text: `
    SELECT first_sequence AS first, last_sequence AS last, lines FROM run_events
    WHERE run_id = $1 AND last_sequence >= $2
      AND first_sequence >= coalesce((SELECT max(first_sequence) FROM run_events WHERE run_id = $1 AND first_sequence <= $2), 0)
    ORDER BY first_sequence LIMIT $3`,
};

/** Stored batches from the one that holds number `from` on; the first may begin before it. */
export async function readBatches(pool: Queryable, runId: string, from: number, limit: number): Promise<EventBatch[]> {
  const { rows } = await pool.query<{ first: number; last: number; lines: string }>({ ...READ, values: [runId, from, limit] });
  return rows.map(({ first, last, lines }) => ({ first, last, lines: lines.split("\n") }));
}

const BATCH_RUNS = 200;

/** Deletes the logs of runs that ended more than `keepHours` ago, in small batches. Returns how many logs. */
export async function deleteOldRunEvents(keepHours: number, pool: Queryable = postgres()): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rowCount } = await pool.query(
      `WITH old AS (
         SELECT run_id FROM run_logs WHERE closed_at < now() - make_interval(hours => $1) LIMIT ${BATCH_RUNS} FOR UPDATE SKIP LOCKED
       ), lines AS (
         DELETE FROM run_events USING old WHERE run_events.run_id = old.run_id
       )
       DELETE FROM run_logs USING old WHERE run_logs.run_id = old.run_id`,
      [keepHours],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH_RUNS) return deleted;
  }
}

const APPEND = { name: "append-run-log", text: "SELECT append_run_log($1, $2)" };
/** How long the database may be away before a write is given up; whoever repeats the step finds what was stored. */
const GIVE_UP_MS = 30_000;

/**
 * Appends lines to a run's log within the caller's transaction, which fails when the log is another's.
 * @param message null where the message that was begun last is whole with this
 * @throws LogTakenOver
 */
export async function appendRunLog(tx: Queryable, writer: RunLogWriter, bodies: readonly RunEventBody[], message?: null): Promise<void> {
  const checkedOut = await writer.checkOut(bodies, message);
  afterCommit(tx, checkedOut.stored, checkedOut.restore);
  try {
    await tx.query({ ...APPEND, values: [JSON.stringify(checkedOut.argument), checkedOut.lines] });
  } catch (error) {
    throw toLogError(error, writer);
  }
}

/**
 * Stores lines together with what they say, by one statement of the caller's. An error that leaves open whether it was stored is the normal fault: the log
 * tells, as nobody else can have moved it; what was not stored is tried again.
 * @param store takes `append_run_log`'s argument and lines, and calls it in a function of the database
 * @throws LogTakenOver, DriverReplaced; whatever the statement raises
 */
export async function storeWithLog(
  writer: RunLogWriter,
  bodies: readonly RunEventBody[],
  message: null | undefined,
  store: (argument: CheckedOut["argument"], lines: string | null) => Promise<unknown>,
): Promise<void> {
  const checkedOut = await writer.checkOut(bodies, message);
  const write = async (failures: number) => {
    if (failures === 0 || !(await isStored(writer, checkedOut))) await store(checkedOut.argument, checkedOut.lines);
  };
  try {
    await retryTransient(write, { giveUpMs: GIVE_UP_MS, warning: `a write of the run ${writer.runId} is tried again` });
  } catch (error) {
    checkedOut.restore();
    throw toLogError(error, writer);
  }
  checkedOut.stored();
}

async function isStored(writer: RunLogWriter, { argument }: CheckedOut): Promise<boolean> {
  const { rows } = await writer.hub.pool.query<{ moved: boolean }>(
    "SELECT next_sequence > $3 AS moved FROM run_logs WHERE run_id = $1 AND writer = $2",
    [writer.runId, writer.fence, argument.first],
  );
  if (!rows[0]) throw new LogTakenOver(writer.runId);
  return rows[0].moved;
}

/** What the functions of the database raise for a writer that was replaced (LT002), or an engine run that was (LT001). */
function toLogError(error: unknown, writer: RunLogWriter): unknown {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "LT001") return new DriverReplaced(writer.runId);
  if (code !== "LT002") return error;
  writer.lose();
  return new LogTakenOver(writer.runId);
}
