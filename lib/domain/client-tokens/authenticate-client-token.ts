import "server-only";
import { createHash } from "node:crypto";
import type { SignedClaims } from "@/lib/domain/client-tokens/client-token";
import {
  type Budget,
  type BudgetClass,
  COUNT_IN_WINDOW,
  secondsLeft,
  toBudget,
} from "@/lib/domain/limits/request-budgets";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { CLIENT_REQUESTS_PER_MINUTE, CLIENT_RUNS_PER_MINUTE } from "@/lib/model/client-token";
import { postgres } from "@/lib/platform/postgres";

interface Row {
  maker_name: string;
  user_id: string | null;
  write_per_hour: number | null;
  person_count: number;
  person_reset: number;
  budget_limit: number;
  count: number | null;
  reset_seconds: number | null;
}

// What made the token and must still hold. Every row beside the account's id.
const MAKER = {
  key: `SELECT k.name || ' …' || k.last_four AS maker_name, NULL::uuid AS user_id FROM api_keys k
    WHERE k.id = $3 AND k.account_id = $1 AND k.agent_id IS NULL AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > now())`,
  session: `SELECT u.email AS maker_name, u.id AS user_id FROM user_sessions s
    JOIN users u ON u.id = s.user_id
    WHERE s.id = $3 AND s.account_id = $1 AND u.account_id = $1 AND s.ended_at IS NULL
      AND s.expires_at > now() AND s.version = u.session_version`,
};

// One statement a request: all that the token stands on, the person's counter, and the account's
// unless the person has used up their own.
const authenticate = (maker: string) => `
WITH found AS (
  SELECT m.maker_name, m.user_id, a.id AS account_id, a.read_per_minute, a.runs_per_minute,
    a.write_per_hour
  FROM accounts a JOIN agents g ON g.id = $2 AND g.account_id = a.id AND g.status = 'active'
  CROSS JOIN LATERAL (${maker}) m
  WHERE a.id = $1 AND NOT a.blocked AND a.deleting_at IS NULL
), person AS (
  INSERT INTO minute_buckets AS b (key, window_started_at, count) SELECT $4, clock_timestamp(), 1
  FROM found
  ${COUNT_IN_WINDOW} RETURNING count, window_started_at
), budget AS (
  SELECT CASE WHEN read_per_minute IS NULL AND runs_per_minute IS NULL THEN 'all:'
    WHEN $5 = 'run' THEN 'run:' ELSE 'read:' END || account_id AS key,
    CASE WHEN $5 = 'run' THEN coalesce(runs_per_minute, $6)
    ELSE coalesce(read_per_minute, $6) END AS budget_limit
  FROM found
), counted AS (
  INSERT INTO minute_buckets AS b (key, window_started_at, count)
  SELECT budget.key, clock_timestamp(), 1 FROM budget, person WHERE person.count <= $7
  ${COUNT_IN_WINDOW} RETURNING count, window_started_at
)
SELECT found.maker_name, found.user_id, found.write_per_hour, budget.budget_limit,
  person.count AS person_count, ${secondsLeft("person.window_started_at")} AS person_reset,
  counted.count, ${secondsLeft("counted.window_started_at")} AS reset_seconds
FROM found CROSS JOIN person CROSS JOIN budget LEFT JOIN counted ON true`;

const TEXTS = { key: authenticate(MAKER.key), session: authenticate(MAKER.session) };

/**
 * Lets the person of a token in whose signature was checked, and counts the request: against what
 * one person may ask of one agent, whichever of their tokens they send, and against the account's
 * budget, as a request with one of its keys.
 * Null when the token's time is over, what made it has ended, its agent is archived, or the account
 * is blocked or gone.
 */
export async function authenticateClientToken(
  claims: SignedClaims,
  budgetClass: BudgetClass,
): Promise<{ principal: Principal; budget: Budget } | null> {
  if (claims.expiresAt.getTime() <= Date.now()) return null;
  const personLimit = budgetClass === "run" ? CLIENT_RUNS_PER_MINUTE : CLIENT_REQUESTS_PER_MINUTE;
  const { rows } = await postgres().query<Row>({
    name: `authenticate-client-token-${claims.maker}`,
    text: TEXTS[claims.maker],
    values: [
      claims.account,
      claims.agent,
      claims.makerId,
      bucketOf(claims, budgetClass),
      budgetClass,
      env().RATE_LIMIT_PER_MINUTE,
      personLimit,
    ],
  });
  const [row] = rows;
  return row ? { principal: toPrincipal(claims, row), budget: budgetOf(row, personLimit) } : null;
}

/** By a digest: a counter is no place for what a person is called. */
function bucketOf({ account, agent, user }: SignedClaims, budgetClass: BudgetClass): string {
  const person = createHash("sha256").update(user).digest("base64url");
  return `client-${budgetClass}:${account}:${agent}:${person}`;
}

/** Their own: what else the account does is not for them to see, until it is used up. */
function budgetOf(row: Row, personLimit: number): Budget {
  const person: Budget = {
    ...toBudget(personLimit, row.person_count, row.person_reset),
    whose: "One person",
  };
  if (row.count === null) return person;
  const account = toBudget(row.budget_limit, row.count, row.reset_seconds ?? 60);
  return account.exceeded ? account : person;
}

function toPrincipal(claims: SignedClaims, row: Row): Principal {
  return {
    accountId: claims.account,
    agentId: claims.agent,
    client: {
      endUser: claims.user,
      conversationId: claims.conversation,
      can: claims.can,
      expiresAt: claims.expiresAt,
      madeBy: { by: claims.maker, id: claims.makerId },
    },
    via: "key",
    userId: null,
    isAdmin: false,
    blocked: false,
    superAgentAccess: false,
    writePerHour: row.write_per_hour ?? env().WRITE_LIMIT_PER_HOUR,
    actor: {
      kind: claims.maker === "key" ? "key" : "user",
      id: claims.maker === "key" ? claims.makerId : row.user_id,
      // The log is kept, and printed, beyond the erasure of a person: it does not name them.
      label: `an end user, by a client token of ${row.maker_name}`,
      address: null,
      userAgent: null,
    },
  };
}
