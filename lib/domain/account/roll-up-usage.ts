import "server-only";
import { transaction } from "@/lib/platform/postgres";

/**
 * How long after its end an hour is added up: a call's time is that of the beginning of its
 * transaction.
 */
const SETTLED_AFTER = "10 minutes";
const HOURS_AT_ONCE = 6;
const HOURS_KEPT = 48;
/**
 * An install that comes from before there were sums has caught up after some minutes; until then
 * usage is read from the calls themselves.
 */
const STEPS = 24;

const BEGIN = `
INSERT INTO usage_rollups (id, until) SELECT 1, date_trunc('hour', min(created_at)) FROM run_usage
WHERE NOT EXISTS (SELECT 1 FROM usage_rollups) HAVING count(*) > 0 ON CONFLICT DO NOTHING`;

const LOCK = `
SELECT until AS begins, least(date_trunc('hour', now() - interval '${SETTLED_AFTER}'),
  until + interval '${HOURS_AT_ONCE} hours') AS ends
FROM usage_rollups FOR UPDATE SKIP LOCKED`;

// Written in a statement of its own after the lock, so that it sees what the holder before has
// done.
const ADD_UP = `
WITH calls AS MATERIALIZED (
  SELECT u.*, NOT EXISTS (SELECT 1 FROM run_usage e WHERE e.run_id = u.run_id
      AND (e.created_at, e.step_key) < (u.created_at, u.step_key)) AS is_first
  FROM run_usage u WHERE u.created_at >= $1 AND u.created_at < $2
), hours AS (
  INSERT INTO usage_hours (account_id, hour, model, agent_id, input_tokens, output_tokens,
    credits_micros, runs)
  SELECT account_id, date_trunc('hour', created_at, 'UTC'), model,
    coalesce(agent_id, '00000000-0000-0000-0000-000000000000'), sum(input_tokens),
    sum(output_tokens),
    sum(credits_micros), count(*) FILTER (WHERE is_first)
  FROM calls GROUP BY 1, 2, 3, 4
), days AS (
  INSERT INTO usage_days AS d (account_id, day, credits_micros, runs)
  SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, sum(credits_micros),
    count(*) FILTER (WHERE is_first) FROM calls GROUP BY 1, 2
  ON CONFLICT (account_id, day)
    DO UPDATE SET credits_micros = d.credits_micros + excluded.credits_micros,
    runs = d.runs + excluded.runs
), old AS (
  DELETE FROM usage_hours WHERE hour < $2::timestamptz - interval '${HOURS_KEPT} hours'
)
UPDATE usage_rollups SET until = $2`;

/**
 * Adds the priced calls of the hours that are over to the sums from which usage is read. Each call
 * is added once, whoever calls this, and however often.
 */
export async function rollUpUsage(): Promise<void> {
  for (let step = 0; step < STEPS; step++) if (!(await addUp())) return;
}

/** @returns whether there may be more */
async function addUp(): Promise<boolean> {
  return transaction(async (tx) => {
    await tx.query(BEGIN);
    const { rows } = await tx.query<{ begins: Date; ends: Date }>(LOCK);
    const span = rows[0];
    if (!span || span.ends <= span.begins) return false;
    await tx.query(ADD_UP, [span.begins, span.ends]);
    return true;
  });
}
