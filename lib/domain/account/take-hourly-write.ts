import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import type { Queryable } from "@/lib/platform/postgres";

const TAKE = `
INSERT INTO hour_buckets AS b (key, window_started_at, count) VALUES ($1, clock_timestamp(), 1)
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN b.window_started_at <= clock_timestamp() - interval '1 hour' THEN 1 ELSE b.count + 1 END,
  window_started_at = CASE WHEN b.window_started_at <= clock_timestamp() - interval '1 hour' THEN clock_timestamp() ELSE b.window_started_at END
RETURNING count, greatest(1, ceil(3600 - extract(epoch FROM clock_timestamp() - window_started_at)))::int AS retry_seconds`;

/**
 * Counts one write against the account's hourly cap (specification §8). Call it inside the transaction of the write:
 * a rollback gives the write back, so a rejected request costs nothing.
 * @throws ServiceError RATE_LIMITED with `retryAfterSeconds`
 */
export async function takeHourlyWrite(tx: Queryable, principal: Principal): Promise<void> {
  if (principal.writePerHour === null) return;
  const { rows } = await tx.query<{ count: number; retry_seconds: number }>({
    name: "take-hourly-write",
    text: TAKE,
    values: [`write:${principal.accountId}`],
  });
  const row = rows[0];
  if (!row || row.count <= principal.writePerHour) return;
  throw new ServiceError(
    "RATE_LIMITED",
    `This account may write ${principal.writePerHour} times an hour. Nothing was changed; try again in ${row.retry_seconds} seconds.`,
    { retryAfterSeconds: row.retry_seconds },
    { "Retry-After": String(row.retry_seconds) },
  );
}
