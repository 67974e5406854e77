import "server-only";
import type pg from "pg";
import type { FunctionSpec } from "@/lib/engine/embedded/function-spec";
import { inTransaction } from "@/lib/engine/embedded/in-transaction";
import { pokeSql } from "@/lib/engine/embedded/poke";
import { releaseSlots, slotKeysOf, takeSlots } from "@/lib/engine/embedded/slots";
import type { Queryable } from "@/lib/platform/postgres";

/** Who drives a run: every write names it, so that a driver which was replaced changes nothing. */
export interface Claim {
  runId: string;
  functionId: string;
  owner: number;
  attempt: number;
  /** News so far; falling asleep fails when there are more by then. */
  wakes: number;
  failures: number;
  takeovers: number;
  event: StoredEvent;
}

export interface StoredEvent {
  id: string;
  name: string;
  data: unknown;
  /** Milliseconds since 1970. */
  ts: number;
}

export const FENCE = "id = $1 and attempt = $2 and owner = $3 and status = 'active'";

const FIND = {
  name: "engine-find-run",
  text: `select run.function_id, event.id, event.name, event.data, event.received_at
         from engine_runs run join engine_events event on event.id = run.event_id
         where run.id = $1 and run.owner is null and run.status = 'active'`,
};
const CLAIM = {
  name: "engine-claim",
  text: "update engine_runs set owner = $2, attempt = attempt + 1, due_at = null where id = $1 and owner is null and status = 'active' returning attempt, wakes, failures, takeovers",
};
const SUSPEND = {
  name: "engine-suspend",
  text: `
    with run as (
      update engine_runs set owner = null, due_at = $4, failures = $5 where ${FENCE} and wakes = $6 returning id::text
    ), queued as (
      select ${pokeSql("id", "$4")} from run where $4::timestamptz is not null
    )
    select (select count(*) from run)::int as suspended, (select count(*) from queued)::int as queued`,
};

/**
 * Takes a run up for `owner`; null when there is nothing to drive: it has ended, another driver has it, a concurrency limit holds it back
 * (then it is poked when a place is free), or its function is not among `specs` (then whoever has it takes it).
 */
export async function claimRun(pool: pg.Pool, specs: Map<string, FunctionSpec>, runId: string, owner: number): Promise<Claim | null> {
  const { rows } = await pool.query<{ function_id: string; id: string; name: string; data: string; received_at: Date }>({
    ...FIND,
    values: [runId],
  });
  const [row] = rows;
  const spec = row && specs.get(row.function_id);
  if (!spec) return null;
  const event = { id: row.id, name: row.name, data: JSON.parse(row.data) as unknown, ts: row.received_at.getTime() };
  const claim = async (tx: Queryable) => {
    const taken = await tx.query<{ attempt: number; wakes: number; failures: number; takeovers: number }>({
      ...CLAIM,
      values: [runId, owner],
    });
    const [first] = taken.rows;
    return first ? { runId, functionId: spec.id, owner, event, ...first } : null;
  };
  const keys = slotKeysOf(spec, event);
  if (keys.length === 0) return claim(pool);
  return inTransaction(pool, async (tx) => {
    // The run's row before its places, as whoever ends a run does: else two could wait for each other.
    await tx.query("select 1 from engine_runs where id = $1 for update", [runId]);
    return (await takeSlots(tx, runId, keys)) ? claim(tx) : null;
  });
}

/** Lets go of a run until `dueAt` or until somebody pokes it. False when there is news for it, or when this driver has lost it. */
export async function suspendRun(pool: pg.Pool, claim: Claim, dueAt: Date | null, hasLimits: boolean): Promise<boolean> {
  const suspend = async (tx: Queryable) => {
    const values = [claim.runId, claim.attempt, claim.owner, dueAt, claim.failures, claim.wakes];
    const { rows } = await tx.query<{ suspended: number }>({ ...SUSPEND, values });
    return (rows[0]?.suspended ?? 0) > 0;
  };
  if (!hasLimits) return suspend(pool);
  return inTransaction(pool, async (tx) => {
    const suspended = await suspend(tx);
    if (suspended) await releaseSlots(tx, claim.runId);
    return suspended;
  });
}

/** The news counter now; null when this driver has lost the run. */
export async function readWakes(pool: Queryable, claim: Claim): Promise<number | null> {
  const { rows } = await pool.query<{ wakes: number }>(`select wakes from engine_runs where ${FENCE}`, [
    claim.runId,
    claim.attempt,
    claim.owner,
  ]);
  return rows[0]?.wakes ?? null;
}

/** Lets go of a run whose driver broke down, to be tried again at `dueAt`. It counts as a death: a run that breaks every driver ends as failed. */
export async function dropRun(pool: Queryable, claim: Claim, dueAt: Date): Promise<void> {
  await pool.query(
    `with run as (update engine_runs set owner = null, due_at = $4, takeovers = takeovers + 1 where ${FENCE} returning id::text)
     select ${pokeSql("id", "$4")} from run`,
    [claim.runId, claim.attempt, claim.owner, dueAt],
  );
}
