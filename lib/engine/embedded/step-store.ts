import "server-only";
import { type Claim, FENCE } from "@/lib/engine/embedded/claim";
import type { Queryable } from "@/lib/platform/postgres";

/** A step as it stands in the database. */
export interface StoredStep {
  id: string;
  op: string;
  name: string;
  done: boolean;
  data: string | null;
  error: string | null;
  attempt: number;
  /**
   * By this process's clock. The database keeps it by its own: what travels is how long it is until
   * then, so that two clocks need not agree.
   */
  dueAt: Date | null;
}

/** Milliseconds from now until a time of this process's clock; null for none. */
export function untilDue(dueAt: Date | null): number | null {
  return dueAt === null ? null : dueAt.getTime() - Date.now();
}

const FENCED = `fence as (select id from engine_runs where ${FENCE} for share)`;
const LOAD = {
  name: "engine-steps",
  text: `SELECT id, op, name, done, data, error, attempt,
      extract(epoch FROM due_at - clock_timestamp())::float8 * 1000 AS "dueInMs" FROM engine_steps
    WHERE run_id = $1 ORDER BY position`,
};
const STORE = {
  name: "engine-store-steps",
  text: `
    with ${FENCED}, stored as (
      insert into engine_steps (run_id, id, op, name, done, data, error, attempt, due_at)
      select fence.id, step.id, step.op, step.name, step.done, step.data, step.error, step.attempt,
        clock_timestamp() + make_interval(secs => step.due_in_ms / 1000)
      from fence, unnest($4::text[], $5::text[], $6::text[], $7::bool[], $8::text[], $9::text[], \
$10::int[], $11::float8[])
        as step(id, op, name, done, data, error, attempt, due_in_ms)
      on conflict (run_id, id) do update
      set done = excluded.done, data = excluded.data, error = excluded.error, attempt = \
excluded.attempt, due_at = excluded.due_at, position = default
      where not engine_steps.done
    )
    select count(*)::int as held from fence`,
};
const WAIT = {
  name: "engine-store-wait",
  text: `
    with ${FENCED}, due as (
      select clock_timestamp() + make_interval(secs => $8::float8 / 1000) as at
    ), step as (
      insert into engine_steps (run_id, id, op, name, due_at) select id, $4, 'WaitForEvent', $5, \
due.at from fence, due on conflict do nothing
    ), wait as (
      insert into engine_waits (run_id, step_id, kind, event, match_value, conditions, due_at)
      select id, $4, 'resume', $9, $6, $7, due.at from fence, due on conflict do nothing
    )
    select count(*)::int as held from fence`,
};
const FIRE = {
  name: "engine-fire-timers",
  text: `
    with ${FENCED}, fired as (
      update engine_steps set done = true, position = default, due_at = null,
        data = 'null'
      from fence
      where run_id = fence.id and not done and op in ('Sleep', 'WaitForEvent') and due_at <= \
clock_timestamp()
      returning engine_steps.id
    ), gone as (
      delete from engine_waits using fired where run_id = $1 and step_id = fired.id
    )
    select (select count(*) from fence)::int as held`,
};

/** All that is stored of a run's steps, in the order in which they ended. */
export async function loadSteps(pool: Queryable, runId: string): Promise<StoredStep[]> {
  const { rows } = await pool.query<Omit<StoredStep, "dueAt"> & { dueInMs: number | null }>({
    ...LOAD,
    values: [runId],
  });
  const now = Date.now();
  return rows.map(({ dueInMs, ...step }) => ({
    ...step,
    dueAt: dueInMs === null ? null : new Date(now + dueInMs),
  }));
}

/**
 * Stores steps, done or not yet. False when this driver has lost the run; then nothing is stored. A
 * done step is never overwritten.
 */
export async function storeSteps(
  pool: Queryable,
  claim: Claim,
  steps: StoredStep[],
): Promise<boolean> {
  const columns = [
    steps.map(({ id }) => id),
    steps.map(({ op }) => op),
    steps.map(({ name }) => name),
    steps.map(({ done }) => done),
    steps.map(({ data }) => data),
    steps.map(({ error }) => error),
    steps.map(({ attempt }) => attempt),
    steps.map(({ dueAt }) => untilDue(dueAt)),
  ];
  return isHeld(
    await pool.query<{ held: number }>({ ...STORE, values: [...fenceOf(claim), ...columns] }),
  );
}

/** Ends the sleeps and waits whose time has come. False when this driver has lost the run. */
export async function fireTimers(pool: Queryable, claim: Claim): Promise<boolean> {
  return isHeld(await pool.query<{ held: number }>({ ...FIRE, values: fenceOf(claim) }));
}

export interface EventWait {
  stepId: string;
  name: string;
  event: string;
  matchValue: string | null;
  conditions: string;
  dueAt: Date | null;
}

/**
 * Stores a step that waits for an event, so that events find it. False when this driver has lost
 * the run.
 */
export async function storeWait(pool: Queryable, claim: Claim, wait: EventWait): Promise<boolean> {
  const { stepId, name, matchValue, conditions, dueAt, event } = wait;
  return isHeld(
    await pool.query<{ held: number }>({
      ...WAIT,
      values: [...fenceOf(claim), stepId, name, matchValue, conditions, untilDue(dueAt), event],
    }),
  );
}

function fenceOf(claim: Claim): [string, number, number] {
  return [claim.runId, claim.attempt, claim.owner];
}

function isHeld({ rows }: { rows: { held: number }[] }): boolean {
  return (rows[0]?.held ?? 0) > 0;
}
