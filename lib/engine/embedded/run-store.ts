import "server-only";
import type pg from "pg";
import { inTransaction } from "@/lib/engine/embedded/in-transaction";
import { pokeSql } from "@/lib/engine/embedded/poke";
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
const LOCK = {
  name: "engine-lock-keys",
  text: "select pg_advisory_xact_lock(hashtextextended('engine-slot:' || key, 0)) from unnest($1::text[]) as key",
};
const CLAIM = {
  name: "engine-claim",
  text: `
    with free as (
      select not exists (
        select 1 from unnest($3::text[], $4::int[]) as need(key, most)
        where (select count(*) from engine_slots slot where slot.key = need.key and slot.held and slot.run_id <> $1) >= need.most
      ) as all_free
    ), run as (
      update engine_runs set owner = $2, attempt = attempt + 1, due_at = null from free
      where all_free and id = $1 and owner is null and status = 'active' returning id, attempt, wakes, failures, takeovers
    ), held as (
      update engine_slots set held = true, lane = null from run where run_id = run.id and key = any($3::text[])
    ), gone as (
      delete from engine_slots using run where run_id = run.id and key <> all($3::text[])
    )
    select attempt, wakes, failures, takeovers from run`,
};
const SUSPEND = {
  name: "engine-suspend",
  text: `
    with run as (
      update engine_runs set owner = null, due_at = $4, failures = $5 where ${FENCE} and wakes = $6 returning id
    ), slots as (
      delete from engine_slots using run where run_id = run.id
    ), queued as (
      select ${pokeSql("id::text", "$4")} from run where $4::timestamptz is not null
    )
    select (select count(*) from run)::int as suspended, (select count(*) from queued)::int as queued`,
};

/** A run that nobody drives and that has not ended, with its event; null when there is none. */
export async function findIdleRun(pool: Queryable, runId: string): Promise<{ functionId: string; event: StoredEvent } | null> {
  const { rows } = await pool.query<{ function_id: string; id: string; name: string; data: string; received_at: Date }>({
    ...FIND,
    values: [runId],
  });
  const [row] = rows;
  if (!row) return null;
  const event = { id: row.id, name: row.name, data: JSON.parse(row.data) as unknown, ts: row.received_at.getTime() };
  return { functionId: row.function_id, event };
}

/** Takes a waiting run up for `owner`; null when it has ended, another driver has it, or under one of its keys as many work as may. */
export async function claimRun(
  pool: pg.Pool,
  run: { runId: string; functionId: string; event: StoredEvent },
  keys: readonly { key: string; limit: number | null }[],
  owner: number,
): Promise<Claim | null> {
  const limited = keys.filter(({ limit }) => limit !== null).sort((a, b) => (a.key < b.key ? -1 : 1));
  const names = limited.map(({ key }) => key);
  const claim = async (tx: Queryable) => {
    const { rows } = await tx.query<Pick<Claim, "attempt" | "wakes" | "failures" | "takeovers">>({
      ...CLAIM,
      values: [run.runId, owner, names, limited.map(({ limit }) => limit)],
    });
    const [first] = rows;
    return first ? { ...run, owner, ...first } : null;
  };
  if (names.length === 0) return claim(pool);
  return inTransaction(pool, async (tx) => {
    // Who counts the places of a key counts alone. The statement that follows sees what the last one did.
    await tx.query({ ...LOCK, values: [names] });
    return claim(tx);
  });
}

/** Lets go of a run and of its place, until `dueAt` or until somebody pokes it. False when there is news for it, or when this driver has lost it. */
export async function suspendRun(pool: Queryable, claim: Claim, dueAt: Date | null): Promise<boolean> {
  const values = [claim.runId, claim.attempt, claim.owner, dueAt, claim.failures, claim.wakes];
  const { rows } = await pool.query<{ suspended: number }>({ ...SUSPEND, values });
  return (rows[0]?.suspended ?? 0) > 0;
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
    `with run as (update engine_runs set owner = null, due_at = $4, takeovers = takeovers + 1 where ${FENCE} returning id),
     slots as (delete from engine_slots using run where run_id = run.id)
     select ${pokeSql("id::text", "$4")} from run`,
    [claim.runId, claim.attempt, claim.owner, dueAt],
  );
}
