import "server-only";
import { createHash } from "node:crypto";
import type { Principal } from "@/lib/domain/principal";
import type { RunView } from "@/lib/domain/runs/run-view";
import { ServiceError } from "@/lib/model/errors";
import { IDEMPOTENCY_KEPT_HOURS } from "@/lib/model/limits";
import type { Queryable } from "@/lib/platform/postgres";

/** A request's `Idempotency-Key`, with the answer that its first acceptance stores. */
export interface Idempotency {
  /** The operation and its path parameters. */
  route: string;
  key: string;
  /** Of the parsed body. */
  requestHash: string;
  answer(run: RunView): { status: number; body: string };
}

/** The first answer of an earlier request with the same key and body. */
export interface Replay {
  replayed: true;
  status: number;
  body: string;
}

export function hashRequest(body: unknown): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
}

/**
 * Finds the first answer of this key, or takes the key for this transaction. The advisory lock makes a second request
 * that arrives while the first is in flight a conflict, not a wait.
 * @throws ServiceError IDEMPOTENCY_CONFLICT for another body, or while the first is in flight
 */
export async function replayOrReserve(tx: Queryable, principal: Principal, request: Idempotency): Promise<Replay | undefined> {
  const scope = `${principal.accountId} ${request.route} ${request.key}`;
  const lock = await tx.query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock(hashtextextended($1, 7)) AS taken", [scope]);
  if (!lock.rows[0]?.taken) {
    throw new ServiceError("IDEMPOTENCY_CONFLICT", "A request with this Idempotency-Key is still being accepted. Try again in a moment.");
  }
  const { rows } = await tx.query<{ request_hash: string; status: number; body: string }>(
    `SELECT request_hash, status, body FROM idempotency_keys WHERE account_id = $1 AND route = $2 AND key = $3
       AND created_at > now() - make_interval(hours => $4)`,
    [principal.accountId, request.route, request.key, IDEMPOTENCY_KEPT_HOURS],
  );
  const first = rows[0];
  if (!first) return undefined;
  if (first.request_hash === request.requestHash) return { replayed: true, status: first.status, body: first.body };
  throw new ServiceError("IDEMPOTENCY_CONFLICT", "This Idempotency-Key was used with another body. Use a key of its own for each request.");
}

/** Stores the first answer in the transaction that makes it true. */
export async function storeAnswer(tx: Queryable, principal: Principal, request: Idempotency, run: RunView): Promise<void> {
  const { status, body } = request.answer(run);
  await tx.query(
    `INSERT INTO idempotency_keys (account_id, route, key, request_hash, status, body) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (account_id, route, key) DO UPDATE SET request_hash = $4, status = $5, body = $6, created_at = now()`,
    [principal.accountId, request.route, request.key, request.requestHash, status, body],
  );
}
