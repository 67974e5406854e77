import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { invalidInput } from "@/lib/model/errors";
import { toCredits } from "@/lib/model/run/run-result";
import { postgres } from "@/lib/platform/postgres";
import { KeyedLimit } from "@/lib/platform/wakeable";
import { definePart } from "@/lib/service";

/** What an account's usage can be told apart by. */
export const USAGE_GROUPS = ["day", "end_user", "key", "model", "agent"] as const;
export type UsageGroupName = (typeof USAGE_GROUPS)[number];

/** The longest time that is added up at once, and the most calls and rows of it. */
export const USAGE_MAX_DAYS = 31;
export const USAGE_CALLS_MAX = 200_000;
export const USAGE_ROWS_MAX = 10_000;

export interface UsageQuestion {
  groupBy: readonly UsageGroupName[];
  /** Days in UTC, `YYYY-MM-DD`, both of them with it. */
  from: string;
  to: string;
  /** Only what this person's runs used. */
  endUser: string | null;
}

/** What calls of one group used; of what is not grouped by there is no field. */
export interface UsageGroup {
  day?: string;
  /** Null: of nobody, or of a person who was erased. */
  endUser?: string | null;
  /** Null: no key asked for it, or it is of before keys were kept. */
  key?: { id: string; name: string | null } | null;
  model?: string;
  /** Null: of no agent. */
  agent?: { id: string; name: string | null } | null;
  /** Runs that made such a call: one that used two models is one of each. */
  runs: number;
  credits: number;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
}

const COLUMNS: Record<UsageGroupName, string> = {
  day: "to_char(u.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
  end_user: "u.end_user",
  key: "u.key_id",
  model: "u.model",
  agent: "u.agent_id",
};

/** What is added up, and no more of each call: so many of them are held at once. */
const ADDED = [
  "u.run_id",
  "u.credits_micros",
  "u.input_tokens",
  "u.output_tokens",
  "u.cached_input_tokens",
];

interface Row {
  calls: string;
  day?: string;
  end_user?: string | null;
  key?: string | null;
  key_name?: string | null;
  model?: string;
  agent?: string | null;
  agent_name?: string | null;
  runs: number;
  micros: string;
  input_tokens: string;
  output_tokens: string;
  cached_input_tokens: string;
}

/** Reads at most so many calls, by the index of the account's, or of the person's, and time. */
function statementOf({ groupBy, endUser }: UsageQuestion): string {
  const read = [...groupBy.map((name) => `${COLUMNS[name]} AS ${name}`), ...ADDED];
  const names = [
    ...(groupBy.includes("key")
      ? [
          `(SELECT k.name || ' …' || k.last_four FROM api_keys k WHERE k.id = g.key
               AND k.account_id = $1) AS key_name`,
        ]
      : []),
    ...(groupBy.includes("agent")
      ? ["(SELECT a.name FROM agents a WHERE a.id = g.agent AND a.account_id = $1) AS agent_name"]
      : []),
  ];
  const [from, to] = [
    "$2::date::timestamp AT TIME ZONE 'UTC'",
    "($3::date + 1)::timestamp AT TIME ZONE 'UTC'",
  ];
  // As a pair, so that no index of the times alone fits: it would read everybody's calls.
  const within =
    endUser === null
      ? `$4::text IS NULL AND (u.account_id, u.created_at) >= ($1, ${from})
          AND (u.account_id, u.created_at) < ($1, ${to})`
      : `u.end_user = $4 AND u.created_at >= ${from} AND u.created_at < ${to}`;
  const order = groupBy.includes("day") ? "day, micros DESC" : "micros DESC";
  return `
WITH calls AS MATERIALIZED (
  SELECT ${read.join(", ")} FROM run_usage u WHERE u.account_id = $1 AND ${within}
  LIMIT ${USAGE_CALLS_MAX + 1}
), g AS (
  SELECT ${groupBy.join(", ")}, count(DISTINCT u.run_id)::int AS runs,
    sum(u.credits_micros)::bigint AS micros, sum(u.input_tokens)::bigint AS input_tokens,
    sum(u.output_tokens)::bigint AS output_tokens,
    sum(u.cached_input_tokens)::bigint AS cached_input_tokens
  FROM calls u GROUP BY ${groupBy.join(", ")} ORDER BY ${order}, ${groupBy.join(", ")}
  LIMIT ${USAGE_ROWS_MAX + 1}
)
SELECT g.*${names.map((name) => `, ${name}`).join("")}, (SELECT count(*) FROM calls) AS calls FROM g
ORDER BY ${order}, ${groupBy.join(", ")}`;
}

/**
 * One at a time of an account in this process: several would take the connections and the memory of
 * everybody. Not the turns of its runs, whose payments would wait for a page of figures.
 */
const accountsAsking = definePart("usage-questions", () => new KeyedLimit(1));

/**
 * What the account used, told apart by what is asked for: by day the oldest first, else those who
 * used most first. Of all groups together it is what the ledger says of that time.
 * @returns at most 10,000 groups, and whether there are more
 * @throws ServiceError INVALID_INPUT for days that are none, in the wrong order, too many, or with
 * more than 200,000 calls
 */
export async function groupUsage(
  { accountId }: Pick<Principal, "accountId">,
  question: UsageQuestion,
): Promise<{ groups: UsageGroup[]; isTruncated: boolean }> {
  requireSpan(question);
  const { from, to, endUser } = question;
  const { rows } = await accountsAsking().run(accountId, () =>
    postgres().query<Row>(statementOf(question), [accountId, from, to, endUser]),
  );
  if (Number(rows[0]?.calls ?? 0) > USAGE_CALLS_MAX)
    throw invalidInput(
      "from",
      `there are more than ${USAGE_CALLS_MAX.toLocaleString("en-US")} calls of models in this ` +
        "time: ask for fewer days at once",
    );
  return {
    groups: rows.slice(0, USAGE_ROWS_MAX).map(toGroup),
    isTruncated: rows.length > USAGE_ROWS_MAX,
  };
}

const DAY_MS = 24 * 3600 * 1000;

/** Today (UTC) and the 29 days before it: what is told of where no days are asked for. */
export function lastDays(now = new Date()): { from: string; to: string } {
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { from: day(now.getTime() - 29 * DAY_MS), to: day(now.getTime()) };
}

function requireSpan({ from, to }: UsageQuestion): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw invalidInput("to", "must not be before from");
  if (days > USAGE_MAX_DAYS)
    throw invalidInput(
      "from",
      `must be at most ${USAGE_MAX_DAYS} days before to, with both of them`,
    );
}

function toGroup(row: Row): UsageGroup {
  const { day, end_user, key, model, agent } = row;
  return {
    ...(day !== undefined && { day }),
    ...(end_user !== undefined && { endUser: end_user }),
    ...(key !== undefined && {
      key: key === null ? null : { id: key, name: row.key_name ?? null },
    }),
    ...(model !== undefined && { model }),
    ...(agent !== undefined && {
      agent: agent === null ? null : { id: agent, name: row.agent_name ?? null },
    }),
    runs: row.runs,
    credits: toCredits(BigInt(row.micros)),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    cachedInputTokens: Number(row.cached_input_tokens),
  };
}
