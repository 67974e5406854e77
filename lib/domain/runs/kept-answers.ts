import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { IDEMPOTENCY_KEPT_HOURS } from "@/lib/model/limits";
import type { Transaction } from "@/lib/platform/postgres";

/** A request's `Idempotency-Key`, and the answer that is kept for it. */
export interface KeptRequest<Accepted> {
  /** The operation and its path parameters. */
  route: string;
  key: string;
  /** Of the parsed body. */
  requestHash: string;
  answer(accepted: Accepted): KeptAnswer;
}

interface KeptAnswer {
  status: number;
  body: string;
}

/** What two requests say that bring one key with different bodies, or at once. */
export function keyInUse(isInFlight: boolean): ServiceError {
  return new ServiceError(
    "IDEMPOTENCY_CONFLICT",
    isInFlight
      ? "A request with this Idempotency-Key is still being accepted. Try again in a moment."
      : "This Idempotency-Key was used with another body. Use a key of its own for each request.",
  );
}

/**
 * Takes a key until the end of the transaction, as `accept_run` does.
 * @returns the answer that was kept for it; null: there is none, or no key
 * @throws ServiceError IDEMPOTENCY_CONFLICT
 */
export async function takeKey(
  tx: Transaction,
  { accountId }: Principal,
  kept: Pick<KeptRequest<never>, "route" | "key" | "requestHash"> | undefined,
): Promise<KeptAnswer | null> {
  if (!kept) return null;
  const values = [accountId, kept.route, kept.key];
  const { rows: taken } = await tx.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1::text || ' ' || $2 || ' ' || $3,
         7)) AS taken`,
    values,
  );
  if (!taken[0]?.taken) throw keyInUse(true);
  const { rows } = await tx.query<KeptAnswer & { request_hash: string }>(
    `SELECT request_hash, status, body FROM idempotency_keys
     WHERE account_id = $1 AND route = $2 AND key = $3
       AND created_at > now() - make_interval(hours => $4)`,
    [...values, IDEMPOTENCY_KEPT_HOURS],
  );
  const [first] = rows;
  if (!first) return null;
  if (first.request_hash !== kept.requestHash) throw keyInUse(false);
  return { status: first.status, body: first.body };
}

/**
 * Keeps the answer of a request whose key the transaction has taken.
 * @param runId the run that it tells of: whoever erases that run's person finds the answer by it
 */
export async function keepAnswer(
  tx: Transaction,
  { accountId }: Principal,
  { route, key, requestHash }: Pick<KeptRequest<never>, "route" | "key" | "requestHash">,
  { status, body }: KeptAnswer,
  runId: string,
): Promise<void> {
  await tx.query(
    `INSERT INTO idempotency_keys (account_id, route, key, request_hash, status, body, accepted_run)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (account_id, route, key) DO UPDATE SET request_hash = excluded.request_hash,
       status = excluded.status,
       body = excluded.body, accepted_run = excluded.accepted_run, created_at = now()`,
    [accountId, route, key, requestHash, status, body, runId],
  );
}
