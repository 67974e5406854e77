import "server-only";
import {
  type Budget,
  type BudgetClass,
  COUNT_IN_WINDOW,
  KNOWN_MS,
  knownKeys,
  secondsLeft,
  toBudget,
} from "@/lib/domain/limits/request-budgets";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { hashApiKey, looksLikeApiKey } from "@/lib/platform/crypto/api-key";
import { postgres } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

interface Row {
  key_id: string;
  key_name: string;
  last_four: string;
  account_id: string;
  agent_id: string | null;
  agent_version: number | null;
  blocked: boolean;
  unproven: boolean;
  super_agent_access: boolean;
  write_per_hour: number | null;
  /** Set where the account's budget is divided between reading and starting runs. */
  is_split: boolean;
  /** Milliseconds until the key ends; null where it does not. */
  expires_ms: number | null;
  budget_limit: number;
  /** Requests that this statement has counted: more than one where the budget is large. */
  block: number;
  count: number;
  reset_seconds: number;
}

/**
 * Budgets above this many requests a minute are counted in blocks, of which a process keeps the
 * rest: no statement for those that follow.
 */
const BLOCKS = 200;
const BLOCK_MAX = 1_000;

// One statement a request: the key, its account and the budget's counter.
const AUTHENTICATE = `
WITH found AS (
  SELECT k.id AS key_id, k.name AS key_name, k.last_four,
    (extract(epoch FROM k.expires_at - now()) * 1000)::float8 AS expires_ms, k.account_id,
    k.agent_id, k.agent_version, a.blocked, a.super_agent_access, a.read_per_minute,
    a.runs_per_minute, a.write_per_hour,
    $5 AND NOT EXISTS (SELECT 1 FROM users u WHERE u.account_id = a.id
        AND u.email_verified_at IS NOT NULL) AS unproven
  FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE k.hash = $1 AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now()) AND (k.agent_id IS NOT NULL) = $2
), budget AS (
  SELECT account_id, read_per_minute IS NOT NULL OR runs_per_minute IS NOT NULL AS is_split,
    CASE WHEN read_per_minute IS NULL AND runs_per_minute IS NULL THEN 'all:'
    WHEN $3 = 'run' THEN 'run:' ELSE 'read:' END || account_id AS key,
    CASE WHEN $3 = 'run' THEN coalesce(runs_per_minute, $4)
    ELSE coalesce(read_per_minute, $4) END AS budget_limit
  FROM found
), sized AS (
  SELECT budget.*, least(${BLOCK_MAX}, greatest(1, budget_limit / ${BLOCKS})) AS block FROM budget
), counted AS (
  INSERT INTO minute_buckets AS b (key, window_started_at, count) SELECT key, clock_timestamp(),
    block FROM sized
  ${COUNT_IN_WINDOW} RETURNING count, window_started_at
)
SELECT found.key_id, found.key_name, found.last_four, found.account_id, found.agent_id,
  found.agent_version, found.blocked, found.unproven, found.super_agent_access,
  found.write_per_hour, found.expires_ms, sized.is_split, sized.budget_limit, sized.block,
  counted.count,
  ${secondsLeft("counted.window_started_at")} AS reset_seconds
FROM found, sized, counted`;

/**
 * Looks a key up and counts the request against its account's budget a minute, in one statement; in
 * none where this process has counted it already and knows the key.
 * Null when the key is missing, malformed, unknown, expired, revoked or of the other family.
 */
export async function authenticateKey(
  key: string,
  family: "account" | "app",
  budgetClass: BudgetClass,
): Promise<{ principal: Principal; budget: Budget } | null> {
  const hash = hashApiKey(key);
  const name = Buffer.from(hash).toString("base64");
  const known = knownKeys().find(name, family, budgetClass);
  if (known) return known;
  if (!looksLikeApiKey(key, family)) return null;
  const values = [
    hash,
    family === "app",
    budgetClass,
    env().RATE_LIMIT_PER_MINUTE,
    isMailConfigured(),
  ];
  const { generation } = knownKeys();
  const { rows } = await postgres().query<Row>({
    name: "authenticate-key",
    text: AUTHENTICATE,
    values,
  });
  const row = rows[0];
  if (!row) return null;
  touchLastUsed(row.key_id);
  const principal: Principal = {
    accountId: row.account_id,
    agentId: row.agent_id,
    ...(row.agent_version !== null && { agentVersion: row.agent_version }),
    via: "key",
    userId: null,
    isAdmin: false,
    blocked: row.blocked,
    unproven: row.unproven,
    superAgentAccess: row.super_agent_access,
    writePerHour: row.write_per_hour ?? env().WRITE_LIMIT_PER_HOUR,
    actor: {
      kind: "key",
      id: row.key_id,
      label: `${row.key_name} …${row.last_four}`,
      address: null,
      userAgent: null,
    },
  };
  const first = row.count - row.block + 1;
  // One that is about to end is asked for each time.
  if (row.block > 1 && (row.expires_ms === null || row.expires_ms > KNOWN_MS)) {
    const lease = {
      limit: row.budget_limit,
      next: first + 1,
      last: row.count,
      endsAt: performance.now() + (row.reset_seconds - 1) * 1_000,
    };
    knownKeys().keep(name, principal, row.is_split ? budgetClass : "all", lease, generation);
  }
  return { principal, budget: toBudget(row.budget_limit, first, row.reset_seconds) };
}

const USE_NOTED_MS = 30_000;
const notedUses = definePart("noted-key-uses", () => new Map<string, number>());

/**
 * Remembers when a key was last used, at most every 30 seconds a key, behind the request's back.
 */
function touchLastUsed(keyId: string): void {
  const now = Date.now();
  const lastNoted = notedUses();
  if (now - (lastNoted.get(keyId) ?? 0) < USE_NOTED_MS) return;
  if (lastNoted.size > 10_000) lastNoted.clear();
  lastNoted.set(keyId, now);
  postgres()
    .query("UPDATE api_keys SET last_used_at = now() WHERE id = $1", [keyId])
    .catch(() => lastNoted.delete(keyId));
}
