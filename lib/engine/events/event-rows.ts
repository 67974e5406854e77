import "server-only";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { postgres, type Queryable } from "@/lib/platform/postgres";

/** Stored lines of one run with the numbers `first` to `last`, one each. */
export interface EventBatch {
  first: number;
  last: number;
  lines: string[];
}

/**
 * An event as one line of NDJSON. `type` stands first, so that a terminal line is known by its
 * beginning. `createdAt` in milliseconds since 1970.
 */
export function toEventLine(
  runId: string,
  sequence: number,
  createdAt: number,
  body: RunEventBody,
): string {
  const { type, ...rest } = body;
  return JSON.stringify({
    type,
    sequence_number: sequence,
    run_id: runId,
    created_at: new Date(createdAt).toISOString(),
    ...rest,
  });
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

/**
 * The log has another writer by now, or its last line: nothing that this writer still held was
 * stored, and nothing of it will be.
 */
export class LogTakenOver extends Error {
  override readonly name = "LogTakenOver";
  constructor(readonly runId: string) {
    super("the run's log was taken over or closed");
  }
}

/**
 * The engine's run was cancelled, or has another driver: what was to be stored with its step's
 * result was not. The log may still be this process's to end.
 */
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
      AND first_sequence >= coalesce((SELECT max(first_sequence) FROM run_events
          WHERE run_id = $1 AND first_sequence <= $2), 0)
    ORDER BY first_sequence LIMIT $3`,
};

/** Stored batches from the one that holds number `from` on; the first may begin before it. */
export async function readBatches(
  pool: Queryable,
  runId: string,
  from: number,
  limit: number,
): Promise<EventBatch[]> {
  const { rows } = await pool.query<{ first: number; last: number; lines: string }>({
    ...READ,
    values: [runId, from, limit],
  });
  return rows.map(({ first, last, lines }) => ({ first, last, lines: lines.split("\n") }));
}

const BATCH_RUNS = 200;

/**
 * Deletes the logs of runs that ended more than `keepHours` ago, in small batches. Returns how many
 * logs.
 */
export async function deleteOldRunEvents(
  keepHours: number,
  pool: Queryable = postgres(),
): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rowCount } = await pool.query(
      `WITH old AS (
         SELECT run_id FROM run_logs
         WHERE closed_at < now() - make_interval(hours => $1) LIMIT ${BATCH_RUNS}
         FOR UPDATE SKIP LOCKED
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
