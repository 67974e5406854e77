import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { callSql } from "@/lib/platform/call-sql";
import type { Queryable } from "@/lib/platform/postgres";

const SECONDS_LEFT =
  "greatest(1, ceil(3600 - extract(epoch FROM clock_timestamp() - window_started_at)))::int";

/**
 * Counts one write against the account's hourly cap (specification §8). Call it inside the
 * transaction of the write: a rollback gives the write back, so a rejected request costs nothing.
 * Its row is held until then: take it before the lock of the key ring, an end user's row and what
 * is theirs, as the acceptance of a run does, for two that took them crosswise would wait for each
 * other.
 * @throws ServiceError RATE_LIMITED with `retryAfterSeconds`
 */
export async function consumeWriteQuota(tx: Queryable, principal: Principal): Promise<void> {
  if (principal.writePerHour === null) return;
  const [row] = await callSql(tx, "take_hourly_write", { account: principal.accountId });
  if (row && row.count > principal.writePerHour)
    throw writesAllUsed(principal.writePerHour, row.retry_seconds);
}

const LOOK = `
SELECT ${SECONDS_LEFT} AS retry_seconds FROM hour_buckets WHERE key = $1 AND count >= $2
  AND window_started_at > clock_timestamp() - interval '1 hour'`;

/**
 * Looks whether a write is left, without taking it: for what costs much before its transaction,
 * where `consumeWriteQuota` decides.
 * @throws ServiceError RATE_LIMITED with `retryAfterSeconds`
 */
export async function requireWriteQuotaLeft(on: Queryable, principal: Principal): Promise<void> {
  const { writePerHour } = principal;
  if (writePerHour === null) return;
  if (writePerHour === 0) throw writesAllUsed(0, 3600);
  const { rows } = await on.query<{ retry_seconds: number }>(LOOK, [
    `write:${principal.accountId}`,
    writePerHour,
  ]);
  if (rows[0]) throw writesAllUsed(writePerHour, rows[0].retry_seconds);
}

/** The refusal of one write too many. */
export function writesAllUsed(writePerHour: number, retrySeconds: number): ServiceError {
  return new ServiceError(
    "RATE_LIMITED",
    `This account may write ${writePerHour} times an hour. Nothing was changed; try again in ` +
      `${retrySeconds} seconds.`,
    { retryAfterSeconds: retrySeconds },
    { "Retry-After": String(retrySeconds) },
  );
}
