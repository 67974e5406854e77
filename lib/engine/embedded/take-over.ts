import "server-only";
import type pg from "pg";
import { inTransaction } from "@/lib/engine/embedded/in-transaction";
import { LIFE_LOCK } from "@/lib/engine/embedded/life-lock";
import { pokeRuns } from "@/lib/engine/embedded/poke";

const DEAD = `
  select id from engine_processes process
  where id <> $1 and not exists (
    select 1 from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2 and classid = $2::int::oid and objid = process.id::oid
      and database = (select oid from pg_database where datname = current_database())
  )`;
const FREE_RUNS = `
  update engine_runs run set owner = null,
    takeovers = case when steps.done = run.takeover_steps and run.takeovers > 0 then run.takeovers + 1 else 1 end, takeover_steps = steps.done
  from (select id, (select count(*) from engine_steps step where step.run_id = engine_runs.id and step.done)::int as done from engine_runs where owner = $1 and status = 'active') steps
  where run.id = steps.id and run.owner = $1 and run.status = 'active' returning run.id::text`;

/** Frees the runs and jobs of executors that died, so that living ones take them up. Returns how many runs it freed. */
export async function takeOver(pool: pg.Pool, ownId: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(DEAD, [ownId, LIFE_LOCK]);
  let freed = 0;
  for (const { id } of rows) freed += await inTransaction(pool, (tx) => freeProcess(tx, id));
  return freed;
}

/** Lets go of what a process drives, when it ends in good order. */
export async function leaveRuns(pool: pg.Pool, ownId: number): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      "update engine_runs set owner = null where owner = $1 and status = 'active' returning id::text",
      [ownId],
    );
    await pokeRuns(
      tx,
      rows.map((row) => row.id),
    );
  });
}

async function freeProcess(tx: pg.PoolClient, id: number): Promise<number> {
  const lock = await tx.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1, $2) as taken", [LIFE_LOCK, id]);
  if (!lock.rows[0]?.taken) return 0;
  const gone = await tx.query<{ pool: string | null }>("delete from engine_processes where id = $1 returning pool", [id]);
  const [process] = gone.rows;
  if (!process) return 0;
  // Before the pokes: a job that is still locked could not be replaced, and would lie there for ever.
  if (process.pool) await tx.query("select graphile_worker.force_unlock_workers($1)", [[process.pool]]);
  const { rows } = await tx.query<{ id: string }>(FREE_RUNS, [id]);
  await pokeRuns(
    tx,
    rows.map((row) => row.id),
  );
  return rows.length;
}
