import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { toCredits } from "@/lib/model/run/run-result";
import { postgres } from "@/lib/platform/postgres";

export interface AccountUsage {
  available: number;
  used24h: number;
  byModel: { model: string; credits: number; input_tokens: number; output_tokens: number }[];
  byAgent: { agent_id: string | null; agent_name: string | null; credits: number; runs: number }[];
  /** The last 30 days, oldest first, in UTC; days without usage are left out. */
  byDay: { day: string; credits: number; runs: number }[];
  windowStart: Date;
}

// Hours that are over come from their sums, which `rollUpUsage` keeps; the hour in which the window
// begins and what was called since the last sum, call by call.
// A run counts where its first call is.
const CALL = `model, agent_id, input_tokens::bigint, output_tokens::bigint, credits_micros,
      (NOT EXISTS (
    SELECT 1 FROM run_usage e WHERE e.run_id = u.run_id
      AND (e.created_at, e.step_key) < (u.created_at, u.step_key)))::int AS runs`;
const USAGE = `
WITH bounds AS (
  SELECT now() - interval '24 hours' AS start,
    date_trunc('hour', now() - interval '24 hours', 'UTC') + interval '1 hour' AS full_hours,
    coalesce((SELECT until FROM usage_rollups), '-infinity') AS until
), recent AS (
  SELECT model, nullif(agent_id, '00000000-0000-0000-0000-000000000000') AS agent_id, input_tokens,
    output_tokens, credits_micros, runs
  FROM usage_hours WHERE account_id = $1 AND hour >= (SELECT full_hours FROM bounds)
  UNION ALL
  SELECT ${CALL} FROM run_usage u WHERE account_id = $1
    AND created_at > (SELECT start FROM bounds) AND created_at < (SELECT full_hours FROM bounds)
  UNION ALL
  SELECT ${CALL} FROM run_usage u WHERE account_id = $1
    AND created_at >= (SELECT greatest(until, full_hours) FROM bounds)
), days AS (
  SELECT day, credits_micros, runs FROM usage_days WHERE account_id = $1
    AND day >= ((now() - interval '30 days') AT TIME ZONE 'UTC')::date
  UNION ALL
  SELECT (created_at AT TIME ZONE 'UTC')::date, credits_micros, runs FROM (
    SELECT created_at, ${CALL} FROM run_usage u WHERE account_id = $1
      AND created_at >= (SELECT greatest(until, now() - interval '30 days') FROM bounds)) u
)
SELECT (SELECT available_micros FROM accounts WHERE id = $1) AS available,
  (SELECT start FROM bounds) AS window_start,
  (SELECT coalesce(sum(credits_micros), 0) FROM recent) AS used,
  (SELECT jsonb_agg(m ORDER BY m.micros DESC) FROM (SELECT model,
     sum(credits_micros)::bigint AS micros, sum(input_tokens)::bigint AS input_tokens,
     sum(output_tokens)::bigint AS output_tokens FROM recent GROUP BY model) m) AS by_model,
  (SELECT jsonb_agg(g ORDER BY g.micros DESC) FROM (SELECT u.agent_id, a.name AS agent_name,
     sum(u.credits_micros)::bigint AS micros, sum(u.runs)::int AS runs
     FROM recent u LEFT JOIN agents a ON a.id = u.agent_id GROUP BY u.agent_id, a.name
     ORDER BY 3 DESC LIMIT 100) g) AS by_agent,
  (SELECT jsonb_agg(d ORDER BY d.day) FROM (SELECT to_char(day, 'YYYY-MM-DD') AS day,
     sum(credits_micros)::bigint AS micros,
     sum(runs)::int AS runs FROM days GROUP BY 1) d) AS by_day`;

interface Row {
  available: string;
  window_start: Date;
  used: string;
  by_model: { model: string; micros: number; input_tokens: number; output_tokens: number }[] | null;
  by_agent:
    | { agent_id: string | null; agent_name: string | null; micros: number; runs: number }[]
    | null;
  by_day: { day: string; micros: number; runs: number }[] | null;
}

/**
 * Wallet and spend of the account in one read. Credits that running runs have reserved are not
 * available. A run counts in the hour and the day of its first call.
 */
export async function getAccountUsage(principal: Principal): Promise<AccountUsage> {
  const { rows } = await postgres().query<Row>({
    name: "account-usage",
    text: USAGE,
    values: [principal.accountId],
  });
  const row = rows[0];
  if (!row) throw new Error("the usage query gave no row");
  return {
    available: toCredits(BigInt(row.available)),
    used24h: toCredits(BigInt(row.used)),
    byModel: (row.by_model ?? []).map(({ micros, ...rest }) => ({
      ...rest,
      credits: toCredits(micros),
    })),
    byAgent: (row.by_agent ?? []).map(({ micros, ...rest }) => ({
      ...rest,
      credits: toCredits(micros),
    })),
    byDay: (row.by_day ?? []).map(({ micros, ...rest }) => ({
      ...rest,
      credits: toCredits(micros),
    })),
    windowStart: row.window_start,
  };
}
