import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { eventHub } from "@/lib/engine/events/event-hub";
import { env } from "@/lib/env";
import { postgres, type Queryable } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

/** How an account stands against a budget a minute. */
export interface Budget {
  limit: number;
  remaining: number;
  /**
   * Whole seconds until the window ends: 1 to 60, also where the machine's clock was set back
   * meanwhile.
   */
  resetSeconds: number;
  exceeded: boolean;
  /** Who has it, where it is not the account: the subject of the refusal's sentence. */
  whose?: string;
}

/**
 * Counts what is inserted into `minute_buckets AS b`, one request or several: a window starts with
 * its first request and lasts a minute. The upsert's row lock makes the count exact under any
 * concurrency and over any number of processes.
 */
export const COUNT_IN_WINDOW = `
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN b.window_started_at <= clock_timestamp() - interval '60 seconds' THEN
    excluded.count ELSE least(b.count, 1000000000) + excluded.count END,
    window_started_at = CASE WHEN b.window_started_at <= clock_timestamp() - interval '60 seconds'
    THEN clock_timestamp() ELSE b.window_started_at END`;

/** Seconds that a window has left, as SQL; `startedAt` is an expression. */
export const secondsLeft = (startedAt: string) =>
  `least(60, greatest(1, ceil(60 - extract(epoch FROM clock_timestamp() - ${startedAt}))))::int`;

/**
 * The bucket of an account's starts of runs, as SQL over its row `accounts`: that of all requests,
 * until an override splits the budget.
 */
export const runBucket = (accounts: string) =>
  `CASE WHEN ${accounts}.read_per_minute IS NULL AND ${accounts}.runs_per_minute IS NULL THEN 'all:'
     ELSE 'run:' END || ${accounts}.id`;

export function toBudget(limit: number, count: number, resetSeconds: number): Budget {
  return { limit, remaining: Math.max(0, limit - count), resetSeconds, exceeded: count > limit };
}

const ENDED = "b.window_started_at <= clock_timestamp() - interval '60 seconds'";

const TAKE_RUN = `
WITH account AS (SELECT id, read_per_minute, runs_per_minute FROM accounts
  WHERE id = $1 AND coalesce(runs_per_minute, $2) > 0)
INSERT INTO minute_buckets AS b (key, window_started_at, count)
SELECT ${runBucket("account")}, clock_timestamp(), 1 FROM account
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN ${ENDED} THEN 1 ELSE b.count + 1 END,
  window_started_at = CASE WHEN ${ENDED} THEN clock_timestamp() ELSE b.window_started_at END
WHERE ${ENDED} OR b.count < (SELECT coalesce(runs_per_minute, $2) FROM accounts WHERE id = $1)`;

/**
 * Counts a start that nobody asked for over HTTP (a schedule's) against the account's budget of
 * starts a minute, if there is room; a refused one does not count. In a transaction it is given
 * back by a rollback.
 * @returns whether it was counted
 */
export async function takeRunBudget(on: Queryable, accountId: string): Promise<boolean> {
  const { rowCount } = await on.query({
    name: "take-run-budget",
    text: TAKE_RUN,
    values: [accountId, env().RATE_LIMIT_PER_MINUTE],
  });
  return rowCount === 1;
}

interface Row {
  write_per_hour: number | null;
  count: number;
  reset_seconds: number;
  run_limit: number;
  run_count: number | null;
  run_reset_seconds: number | null;
}

// A start that the sessions' own budget refuses does not count against the account's.
const TAKE_SESSION_REQUEST = `
WITH account AS (SELECT id, read_per_minute, runs_per_minute, write_per_hour FROM accounts
  WHERE id = $1
), sessions AS (
  INSERT INTO minute_buckets AS b (key, window_started_at, count) SELECT 'session:' || id,
    clock_timestamp(), 1 FROM account
  ${COUNT_IN_WINDOW} RETURNING count, window_started_at
), runs AS (
  INSERT INTO minute_buckets AS b (key, window_started_at, count)
  SELECT ${runBucket("account")}, clock_timestamp(), 1 FROM account, sessions
  WHERE $2 = 'run' AND sessions.count <= $3
  ${COUNT_IN_WINDOW} RETURNING count, window_started_at
)
SELECT account.write_per_hour, sessions.count,
  ${secondsLeft("sessions.window_started_at")} AS reset_seconds,
  coalesce(account.runs_per_minute, $4) AS run_limit, runs.count AS run_count,
  ${secondsLeft("runs.window_started_at")} AS run_reset_seconds
FROM account CROSS JOIN sessions LEFT JOIN runs ON true`;

/**
 * Counts a request of somebody signed in, in one statement: against the budget a minute of all
 * sessions of the account, and a start of a run against the account's own as well, as its keys'
 * starts do.
 * @returns the budget that is nearest to its end, and the writes an hour that the account has for
 * keys and sessions together
 */
export async function takeSessionBudget(
  accountId: string,
  budgetClass: BudgetClass,
): Promise<{ budget: Budget; writePerHour: number }> {
  const { SESSION_LIMIT_PER_MINUTE: limit, RATE_LIMIT_PER_MINUTE, WRITE_LIMIT_PER_HOUR } = env();
  const values = [accountId, budgetClass, limit, RATE_LIMIT_PER_MINUTE];
  const { rows } = await postgres().query<Row>({
    name: "take-session-budget",
    text: TAKE_SESSION_REQUEST,
    values,
  });
  const [row] = rows;
  if (!row) throw new Error("a session's account is gone");
  const budget = toBudget(limit, row.count, row.reset_seconds);
  const runs =
    row.run_count === null
      ? null
      : toBudget(row.run_limit, row.run_count, row.run_reset_seconds ?? 60);
  return {
    budget: runs && (runs.exceeded || runs.remaining < budget.remaining) ? runs : budget,
    writePerHour: row.write_per_hour ?? WRITE_LIMIT_PER_HOUR,
  };
}

export type BudgetClass = "read" | "run";

/** Requests that were counted beforehand in the account's window, for this process to give out. */
interface Lease {
  limit: number;
  /** Which request of the window the next one is, and the last one that is counted. */
  next: number;
  last: number;
  /** By the process's own clock, in milliseconds; a second before the window's end. */
  endsAt: number;
}

interface Known {
  principal: Principal;
  leases: Map<BudgetClass | "all", Lease>;
  until: number;
}

/** However well changes are told, a key is looked up again after this time. */
export const KNOWN_MS = 5_000;
const KEYS_MAX = 10_000;

/**
 * Keys of accounts with large budgets, as this process last saw them. A change of the key or of its
 * account is a signal that the database itself sends (`principal_changed`); while this process
 * cannot hear it, nothing is known.
 */
class KnownKeys {
  readonly #keys = new Map<string, Known>();
  #generation = 0;

  /** Grows with each change that this process hears of. Whoever looks a key up reads it before. */
  get generation(): number {
    return this.#generation;
  }

  find(
    hash: string,
    family: "account" | "app",
    budgetClass: BudgetClass,
  ): { principal: Principal; budget: Budget } | null {
    const known = this.#keys.get(hash);
    if (
      !known ||
      (known.principal.agentId !== null) !== (family === "app") ||
      !eventHub().isListening
    )
      return null;
    const now = performance.now();
    const lease = known.leases.get("all") ?? known.leases.get(budgetClass);
    if (known.until < now || !lease || lease.next > lease.last || lease.endsAt < now) return null;
    const count = lease.next++;
    return {
      principal: known.principal,
      budget: toBudget(
        lease.limit,
        count,
        Math.max(1, Math.ceil((lease.endsAt - now) / 1_000) + 1),
      ),
    };
  }

  /**
   * @param generation as it stood before the key was looked up: what was changed since may be this
   * very key
   */
  keep(
    hash: string,
    principal: Principal,
    budgetClass: BudgetClass | "all",
    lease: Lease,
    generation: number,
  ): void {
    eventHub().onPrincipalChanged((accountId) => this.forget(accountId));
    if (generation !== this.#generation) return;
    const known = this.#keys.get(hash) ?? { principal, leases: new Map(), until: 0 };
    known.principal = principal;
    known.until = performance.now() + KNOWN_MS;
    known.leases.set(budgetClass, lease);
    this.#keys.delete(hash);
    this.#keys.set(hash, known);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > KEYS_MAX && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** Something about the account, or one of its keys, is otherwise now; null: about any. */
  forget(accountId: string | null): void {
    this.#generation += 1;
    for (const [hash, { principal }] of this.#keys)
      if (accountId === null || principal.accountId === accountId) this.#keys.delete(hash);
  }
}

export const knownKeys = definePart("known-keys", () => new KnownKeys());
