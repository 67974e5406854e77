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

const USAGE = `
WITH recent AS (SELECT * FROM run_usage WHERE account_id = $1 AND created_at > now() - interval '24 hours')
SELECT (SELECT available_micros FROM accounts WHERE id = $1) AS available, now() - interval '24 hours' AS window_start,
  (SELECT coalesce(sum(credits_micros), 0) FROM recent) AS used,
  (SELECT jsonb_agg(m ORDER BY m.micros DESC) FROM (SELECT model, sum(credits_micros)::bigint AS micros, sum(input_tokens)::bigint AS input_tokens,
     sum(output_tokens)::bigint AS output_tokens FROM recent GROUP BY model) m) AS by_model,
  (SELECT jsonb_agg(g ORDER BY g.micros DESC) FROM (SELECT u.agent_id, a.name AS agent_name, sum(u.credits_micros)::bigint AS micros, count(DISTINCT u.run_id)::int AS runs
     FROM recent u LEFT JOIN agents a ON a.id = u.agent_id GROUP BY u.agent_id, a.name ORDER BY 3 DESC LIMIT 100) g) AS by_agent,
  (SELECT jsonb_agg(d ORDER BY d.day) FROM (SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(credits_micros)::bigint AS micros,
     count(DISTINCT run_id)::int AS runs FROM run_usage WHERE account_id = $1 AND created_at > now() - interval '30 days' GROUP BY 1) d) AS by_day`;

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
