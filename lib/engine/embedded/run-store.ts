import "server-only";
import type pg from "pg";
import { type Claim, FENCE } from "@/lib/engine/embedded/claim";
import { FUNCTION_FAILED } from "@/lib/engine/embedded/function-specs";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import { untilDue } from "@/lib/engine/embedded/step-store";
import type { EngineEvent } from "@/lib/engine/functions";
import { callSql } from "@/lib/platform/call-sql";
import { isTransientError, retryTransient } from "@/lib/platform/is-transient-error";
import { inTransaction, type Queryable } from "@/lib/platform/postgres";
import type { FunctionLimit, SqlFunctions } from "@/lib/platform/sql-functions";

export type StepOutcome = { data: unknown } | { error: unknown };

/**
 * Takes up to `free` runs of a lane up for `owner`, in their turn.
 * @param limits of each function's first key and second key
 * @returns them, and whether others wait that no place is free for
 */
export async function claimRuns(
  pool: Queryable,
  lane: string,
  owner: number,
  free: number,
  limits: readonly FunctionLimit[],
): Promise<{ claims: Claim[]; waiting: boolean }> {
  const rows = await callSql(pool, "engine_claim", { lane, owner, free, limits });
  const claims = rows.flatMap(({ waiting: _, ...row }) => (isClaimed(row) ? [toClaim(row)] : []));
  return { claims, waiting: rows.some(({ waiting }) => waiting) };

  function toClaim(row: ClaimedRow): Claim {
    const { id, function_id, attempt, wakes, failures, takeovers } = row;
    const data = JSON.parse(row.event_data) as EngineEvent["data"];
    const event = { id: row.event_id, name: row.event_name, data, ts: Number(row.event_ms) };
    return {
      runId: id,
      functionId: function_id,
      owner,
      attempt,
      wakes,
      failures,
      takeovers,
      event,
    };
  }
}

type ClaimRow = Omit<SqlFunctions["engine_claim"]["gives"], "waiting">;
type ClaimedRow = { [Column in keyof ClaimRow]: NonNullable<ClaimRow[Column]> };

/** Not the one row that says that none was taken. */
function isClaimed(row: ClaimRow): row is ClaimedRow {
  return row.id !== null;
}

/** More keys than this are not looked at: a share is that of many then. */
const LOOKS_MAX = 2_000;
/** From one key to the next by the index, however many runs wait under it. */
const WAITING_KEYS = {
  name: "engine-waiting-keys",
  text: `
    WITH RECURSIVE waits (key, n, own) AS (
      SELECT '', 0, 0
      UNION ALL
      SELECT next.key, w.n + 1,
        w.own + (SELECT count(*)::int FROM unnest($1::text[]) id
          WHERE starts_with(next.key, id || ':'))
      FROM waits w CROSS JOIN LATERAL (
        SELECT key FROM engine_runs WHERE queued AND key > w.key ORDER BY key LIMIT 1
      ) next
      WHERE w.n < ${LOOKS_MAX} AND w.own < $2
    )
    SELECT max(own) AS own FROM waits`,
};

/**
 * Under how many keys runs of these functions wait for a place.
 * @param max it counts no further
 */
export async function countWaitingKeys(
  pool: Queryable,
  functionIds: readonly string[],
  max: number,
): Promise<number> {
  const values = [functionIds, max];
  const { rows } = await pool.query<{ own: number }>({ ...WAITING_KEYS, values });
  return rows[0]?.own ?? 0;
}

const SUSPEND = {
  name: "engine-suspend",
  text: `UPDATE engine_runs SET owner = NULL,
      due_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000), failures = $5,
      takeovers = CASE WHEN $7 THEN 0 ELSE takeovers END
    WHERE ${FENCE} AND wakes = $6`,
};

/**
 * Lets go of a run and of its place, until `dueAt` or until something wakes it. False when there is
 * a signal for it, or when this driver has lost it.
 * @param progressed a step has ended: deaths before it count no more
 */
export async function suspendRun(
  pool: Queryable,
  claim: Claim,
  dueAt: Date | null,
  progressed: boolean,
): Promise<boolean> {
  const values = [
    claim.runId,
    claim.attempt,
    claim.owner,
    untilDue(dueAt),
    claim.failures,
    claim.wakes,
    progressed,
  ];
  return (await pool.query({ ...SUSPEND, values })).rowCount === 1;
}

/** The signal counter now; null when this driver has lost the run. */
export async function readWakes(
  pool: Queryable,
  { runId, attempt, owner }: Claim,
): Promise<number | null> {
  const { rows } = await pool.query<{ wakes: number }>({
    name: "engine-wakes",
    text: `SELECT wakes FROM engine_runs WHERE ${FENCE}`,
    values: [runId, attempt, owner],
  });
  return rows[0]?.wakes ?? null;
}

/**
 * Says that a run begins by itself which a process has died with: `engine_bury` looks there for
 * what the next one dies of.
 * @returns how often it was among several that a process died with; -1 while another process tries
 * one; null when this driver has lost the run
 */
export async function beginTrial(
  pool: Queryable,
  { runId, attempt, owner }: Claim,
): Promise<number | null> {
  const [row] = await callSql(pool, "engine_begin_trial", { run: runId, owner, attempt });
  return row?.value ?? null;
}

/** Says that a run has had its time by itself, and that others begin beside it. */
export async function passTrial(pool: Queryable, { runId, attempt, owner }: Claim): Promise<void> {
  const text = `UPDATE engine_runs SET trial_passed = true WHERE ${FENCE}`;
  await pool.query(text, [runId, attempt, owner]);
}

/**
 * Lets go of a run whose driver broke down, to be tried again at `dueAt`. It counts as a death: a
 * run that breaks every driver ends as failed.
 */
export async function dropRun(
  pool: Queryable,
  { runId, attempt, owner }: Claim,
  dueAt: Date,
): Promise<void> {
  await pool.query(
    `UPDATE engine_runs SET owner = NULL,
       due_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000),
       takeovers = takeovers + 1
     WHERE ${FENCE}`,
    [runId, attempt, owner, untilDue(dueAt)],
  );
}

/**
 * Has the runs that a process drives wait for another one, when it ends in good order. Nothing of
 * it counts as a death.
 */
export async function releaseRuns(pool: Queryable, owner: number): Promise<void> {
  await pool.query(
    `UPDATE engine_runs SET owner = NULL, queued = lane IS NOT NULL
     WHERE owner = $1 AND status = 'active'`,
    [owner],
  );
}

/**
 * Has runs wait for a place that this process owns and does not drive: the answer to its claim was
 * lost with a connection.
 */
export async function releaseOrphans(
  pool: Queryable,
  owner: number,
  orphans: readonly { id: string; attempt: number }[],
): Promise<void> {
  await pool.query(
    `UPDATE engine_runs run SET owner = NULL, queued = lane IS NOT NULL
     FROM unnest($1::uuid[], $2::int[]) AS stray(id, attempt)
     WHERE run.id = stray.id AND run.attempt = stray.attempt AND run.owner = $3
       AND run.status = 'active'`,
    [orphans.map(({ id }) => id), orphans.map(({ attempt }) => attempt), owner],
  );
}

const SETTLE = {
  name: "engine-settle",
  text: `
    WITH run AS (
      UPDATE engine_runs SET status = $4, output = $5, ended_at = now(), owner = NULL, due_at = NULL
      WHERE ${FENCE} RETURNING id
    ), gone AS (
      DELETE FROM engine_waits USING run WHERE run_id = run.id
    )
    SELECT count(*)::int AS settled FROM run`,
};

/**
 * Ends a run. A failure is told to the functions that listen for it, in the same transaction
 * (`tellFailure`).
 * False when this driver has lost the run; then nothing happens.
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
    const values = [
      claim.runId,
      claim.attempt,
      claim.owner,
      failed ? "failed" : "completed",
      output,
    ];
    const { rows } = await tx.query<{ settled: number }>({ ...SETTLE, values });
    return (rows[0]?.settled ?? 0) > 0;
  };
  if (!failed || !tellFailure) return settle(pool);
  return inTransaction(pool, async (tx) => {
    if (!(await settle(tx))) return false;
    const data = {
      function_id: claim.functionId,
      run_id: claim.runId,
      error: outcome.error,
      event: claim.event,
    };
    await enqueueEvent(tx, { id: `failed:${claim.runId}`, name: FUNCTION_FAILED, data });
    return true;
  });
}

const BATCH_ROWS = 1_000;

/** How long events and runs that are over stay: the id of an event counts once for as long. */
export const KEEP_HOURS = 24;
const KEEP_DEATHS_DAYS = 30;

/** One process at a time clears up. */
const CLEAR_LOCK = 0x1a80;
/** A turn ends after so many batches: what is left is the next turn's. */
const BATCHES_MAX = 200;

/**
 * Deletes the engine's rows of runs that ended, and of events that were done with, more than
 * `keepHours` ago; in small batches, and while no other process does.
 * @param isOver asked between two batches
 */
export async function deleteOldRuns(
  pool: pg.Pool,
  keepHours: number,
  isOver: () => boolean = () => false,
): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>(
      "SELECT pg_try_advisory_lock($1) AS held",
      [CLEAR_LOCK],
    );
    if (rows[0]?.held !== true) return;
    try {
      await deleteInBatches(client, keepHours, isOver);
    } finally {
      await client.query("SELECT pg_advisory_unlock($1)", [CLEAR_LOCK]);
    }
  } finally {
    client.release();
  }
}

async function deleteInBatches(
  client: Queryable,
  keepHours: number,
  isOver: () => boolean,
): Promise<void> {
  const runs = `
    WITH old AS (
      SELECT id FROM engine_runs
      WHERE ended_at < now() - make_interval(hours => $1) LIMIT ${BATCH_ROWS}
    ), steps AS (
      DELETE FROM engine_steps USING old WHERE run_id = old.id
    )
    DELETE FROM engine_runs USING old WHERE engine_runs.id = old.id`;
  const events = `
    DELETE FROM engine_events WHERE id IN (
      SELECT id FROM engine_events event
      WHERE received_at < now() - make_interval(hours => $1) AND routed_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM engine_runs run WHERE run.event_id = event.id)
      LIMIT ${BATCH_ROWS})`;
  await client.query(
    "DELETE FROM engine_deaths WHERE found_at < now() - make_interval(days => $1)",
    [KEEP_DEATHS_DAYS],
  );
  for (const text of [runs, events]) {
    for (let batch = 0; batch < BATCHES_MAX && !isOver(); batch += 1)
      if (((await client.query(text, [keepHours])).rowCount ?? 0) < BATCH_ROWS) break;
  }
}

/**
 * A write that is tried again until the database is back; null once `isLost()` says that it would
 * come too late. Throws what will not pass.
 */
export async function persist<T>(
  write: () => Promise<T>,
  isLost: () => boolean,
): Promise<T | null> {
  if (isLost()) return null;
  try {
    return await retryTransient(write, {
      isOver: isLost,
      warning: "the engine's database cannot be reached; trying again",
    });
  } catch (error) {
    if (isLost() && isTransientError(error)) return null;
    throw error;
  }
}
