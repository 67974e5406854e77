import "server-only";
import { type Budget, COUNT_IN_WINDOW, secondsLeft, toBudget } from "@/lib/domain/account/minute-window";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { hashApiKey, looksLikeApiKey } from "@/lib/platform/crypto/api-key";
import { postgres } from "@/lib/platform/postgres";

export type BudgetClass = "read" | "run";

interface Row {
  key_id: string;
  key_name: string;
  last_four: string;
  account_id: string;
  agent_id: string | null;
  blocked: boolean;
  super_agent_access: boolean;
  write_per_hour: number | null;
  budget_limit: number;
  count: number;
  reset_seconds: number;
}

// One statement a request: the key, its account and the budget's counter.
const AUTHENTICATE = `
WITH found AS (
  SELECT k.id AS key_id, k.name AS key_name, k.last_four, k.account_id, k.agent_id, a.blocked, a.super_agent_access, a.read_per_minute, a.runs_per_minute, a.write_per_hour
  FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND (k.agent_id IS NOT NULL) = $2
), budget AS (
  SELECT account_id,
    CASE WHEN read_per_minute IS NULL AND runs_per_minute IS NULL THEN 'all:' WHEN $3 = 'run' THEN 'run:' ELSE 'read:' END || account_id AS key,
    CASE WHEN $3 = 'run' THEN coalesce(runs_per_minute, $4) ELSE coalesce(read_per_minute, $4) END AS budget_limit
  FROM found
), counted AS (
  INSERT INTO minute_buckets AS b (key, window_started_at, count) SELECT key, clock_timestamp(), 1 FROM budget
  ${COUNT_IN_WINDOW} RETURNING count, window_started_at
)
SELECT found.key_id, found.key_name, found.last_four, found.account_id, found.agent_id, found.blocked, found.super_agent_access, found.write_per_hour, budget.budget_limit, counted.count,
  ${secondsLeft("counted.window_started_at")} AS reset_seconds
FROM found, budget, counted`;

/**
 * Looks a key up and counts the request against its account's budget a minute, in one statement.
 * Null when the key is missing, malformed, unknown, expired, revoked or of the other family.
 */
export async function authenticateKey(
  key: string,
  family: "account" | "app",
  budgetClass: BudgetClass,
): Promise<{ principal: Principal; budget: Budget } | null> {
  if (!looksLikeApiKey(key, family)) return null;
  const values = [hashApiKey(key), family === "app", budgetClass, env().RATE_LIMIT_PER_MINUTE];
  const { rows } = await postgres().query<Row>({ name: "authenticate-key", text: AUTHENTICATE, values });
  const row = rows[0];
  if (!row) return null;
  noteUse(row.key_id);
  return {
    principal: {
      accountId: row.account_id,
      agentId: row.agent_id,
      via: "key",
      userId: null,
      isAdmin: false,
      blocked: row.blocked,
      superAgentAccess: row.super_agent_access,
      writePerHour: row.write_per_hour ?? env().WRITE_LIMIT_PER_HOUR,
      actor: { kind: "key", id: row.key_id, label: `${row.key_name} …${row.last_four}`, address: null, userAgent: null },
    },
    budget: toBudget(row.budget_limit, row.count, row.reset_seconds),
  };
}

const USE_NOTED_MS = 30_000;
const lastNoted = new Map<string, number>();

/** Remembers when a key was last used, at most every 30 seconds a key, behind the request's back. */
function noteUse(keyId: string): void {
  const now = Date.now();
  if (now - (lastNoted.get(keyId) ?? 0) < USE_NOTED_MS) return;
  if (lastNoted.size > 10_000) lastNoted.clear();
  lastNoted.set(keyId, now);
  postgres()
    .query("UPDATE api_keys SET last_used_at = now() WHERE id = $1", [keyId])
    .catch(() => lastNoted.delete(keyId));
}
