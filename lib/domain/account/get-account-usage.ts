import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { toCredits } from "@/lib/model/run/usage";
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

/** In the sums, of a run without an agent. */
const NO_AGENT = "00000000-0000-0000-0000-000000000000";

/** The first whole hour in UTC after a moment. */
const wholeHourAfter = (moment: string) => `(date_trunc('hour', (${moment}) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + interval '1 hour')`;

/**
 * What was charged after a moment: the sums of its whole hours, and the charges of the hour that the moment cuts. `runs` counts each run once: where it
 * was charged for the first time, or went on from before the moment (see `usage_crossings`).
 */
const chargedAfter = (moment: string) => `
  SELECT hour, agent_id, model, input_tokens, output_tokens, credits_micros AS micros, runs
  FROM usage_hours WHERE account_id = $1 AND hour >= ${wholeHourAfter(moment)}
  UNION ALL
  SELECT created_at, coalesce(agent_id, '${NO_AGENT}'), model, input_tokens, output_tokens, credits_micros,
    (row_number() OVER (PARTITION BY run_id ORDER BY created_at, step_key) = 1)::int
  FROM run_usage WHERE account_id = $1 AND created_at > ${moment} AND created_at < ${wholeHourAfter(moment)}`;

const DAY_AGO = "now() - interval '24 hours'";
const MONTH_AGO = "now() - interval '30 days'";
const dayOf = (moment: string) => `date_trunc('day', ${moment} AT TIME ZONE 'UTC')`;

// Never the charges themselves but those of two hours: an account's day may have tens of thousands.
const USAGE = `
WITH recent AS (${chargedAfter(DAY_AGO)}
  UNION ALL
  SELECT charged_at, agent_id, NULL, 0, 0, 0, 1 FROM usage_crossings
  WHERE account_id = $1 AND charged_at >= ${wholeHourAfter(DAY_AGO)} AND previous_at <= ${DAY_AGO}
), month AS (${chargedAfter(MONTH_AGO)}
  UNION ALL
  SELECT charged_at, agent_id, NULL, 0, 0, 0, 1 FROM usage_crossings
  WHERE account_id = $1 AND charged_at >= ${wholeHourAfter(MONTH_AGO)}
    AND (previous_at <= ${MONTH_AGO} OR ${dayOf("previous_at")} < ${dayOf("charged_at")})
)
SELECT (SELECT available_micros FROM accounts WHERE id = $1) AS available, ${DAY_AGO} AS window_start,
  (SELECT coalesce(sum(micros), 0) FROM recent) AS used,
  (SELECT jsonb_agg(m ORDER BY m.micros DESC) FROM (SELECT model, sum(micros)::bigint AS micros, sum(input_tokens)::bigint AS input_tokens,
     sum(output_tokens)::bigint AS output_tokens FROM recent WHERE model IS NOT NULL GROUP BY model) m) AS by_model,
  (SELECT jsonb_agg(g ORDER BY g.micros DESC) FROM (SELECT nullif(u.agent_id, '${NO_AGENT}') AS agent_id, a.name AS agent_name,
     sum(u.micros)::bigint AS micros, sum(u.runs)::int AS runs
     FROM recent u LEFT JOIN agents a ON a.id = u.agent_id AND a.account_id = $1 GROUP BY u.agent_id, a.name ORDER BY 3 DESC LIMIT 100) g) AS by_agent,
  (SELECT jsonb_agg(d ORDER BY d.day) FROM (SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(micros)::bigint AS micros,
     sum(runs)::int AS runs FROM month GROUP BY 1) d) AS by_day`;

interface Row {
  available: string;
  window_start: Date;
  used: string;
  by_model: { model: string; micros: number; input_tokens: number; output_tokens: number }[] | null;
  by_agent: { agent_id: string | null; agent_name: string | null; micros: number; runs: number }[] | null;
  by_day: { day: string; micros: number; runs: number }[] | null;
}

/** Wallet and spend of the account in one read. Credits that running runs have reserved are not available. */
export async function getAccountUsage(principal: Principal): Promise<AccountUsage> {
  const { rows } = await postgres().query<Row>({ name: "account-usage", text: USAGE, values: [principal.accountId] });
  const row = rows[0];
  if (!row) throw new Error("the usage query gave no row");
  return {
    available: toCredits(BigInt(row.available)),
    used24h: toCredits(BigInt(row.used)),
    byModel: (row.by_model ?? []).map(({ micros, ...rest }) => ({ ...rest, credits: toCredits(micros) })),
    byAgent: (row.by_agent ?? []).map(({ micros, ...rest }) => ({ ...rest, credits: toCredits(micros) })),
    byDay: (row.by_day ?? []).map(({ micros, ...rest }) => ({ ...rest, credits: toCredits(micros) })),
    windowStart: row.window_start,
  };
}
