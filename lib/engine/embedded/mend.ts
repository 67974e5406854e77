import "server-only";
import type pg from "pg";
import { pokeRuns } from "@/lib/engine/embedded/poke";
import { DRIVE_TASK, JOB_MAX_ATTEMPTS, ROUTE_TASK } from "@/lib/engine/embedded/tasks";

const MINE = [ROUTE_TASK, DRIVE_TASK];
const FREE_STRAY_JOBS = `
  select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
  where locked_by is not null and locked_at < now() - interval '10 seconds' and task_identifier = any($1)
    and not exists (select 1 from engine_processes where pool = locked_by) having count(*) > 0`;
const DROP_DEAD_JOBS = `
  select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
  where locked_at is null and attempts >= max_attempts and task_identifier = any($1) having count(*) > 0`;
const FREE_ORPHANS = `
  update engine_runs set owner = null where status = 'active' and owner is not null and not exists (select 1 from engine_processes where id = owner)
  returning id::text`;
const FORGOTTEN_RUNS = `
  select id::text from engine_runs run
  where status = 'active' and owner is null and created_at < now() - interval '30 seconds'
    and not exists (select 1 from engine_slots slot where slot.run_id = run.id and slot.lane is not null)
    and not exists (select 1 from graphile_worker.jobs job where job.key = 'run:' || run.id)
    and case when due_at is not null then due_at < now() - interval '10 seconds' else
      not exists (select 1 from engine_steps step where step.run_id = run.id and not step.done and step.op in ('WaitForEvent', 'InvokeFunction')) end
  order by created_at limit 200`;
const FORGOTTEN_EVENTS = `
  select count(graphile_worker.add_job('${ROUTE_TASK}', json_build_object('id', id), job_key := 'event:' || id, max_attempts := ${JOB_MAX_ATTEMPTS}))
  from (select id from engine_events event where routed_at is null and received_at < now() - interval '30 seconds'
    and not exists (select 1 from graphile_worker.jobs job where job.key = 'event:' || event.id) order by received_at limit 200) event`;
const LEFT_PLACES = `
  delete from engine_slots slot using engine_runs run where run.id = slot.run_id and run.status <> 'active'`;

/**
 * Finds what should be on its way and is not, whatever lost it, and sends it on. Costs a few indexed reads when all is well. What still has its job,
 * or waits for a place, is on its way: to send it again would put the oldest behind all others.
 */
export async function mend(pool: pg.Pool): Promise<void> {
  await pool.query(FREE_STRAY_JOBS, [MINE]);
  await pool.query(DROP_DEAD_JOBS, [MINE]);
  const orphans = await pool.query<{ id: string }>(FREE_ORPHANS);
  const forgotten = await pool.query<{ id: string }>(FORGOTTEN_RUNS);
  await pokeRuns(
    pool,
    [...orphans.rows, ...forgotten.rows].map((row) => row.id),
  );
  await pool.query(FORGOTTEN_EVENTS);
  await pool.query(LEFT_PLACES);
}
