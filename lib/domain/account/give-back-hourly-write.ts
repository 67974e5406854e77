import "server-only";
import type { Queryable } from "@/lib/platform/postgres";

/**
 * Gives back a write (see `takeHourlyWrite`) that came to nothing after its transaction, which began at `takenAt`, had been committed. Nothing
 * happens once its hour has ended: a window that began more than a minute later is another one.
 */
export async function giveBackHourlyWrite(tx: Queryable, accountId: string, takenAt: Date): Promise<void> {
  await tx.query(
    `UPDATE hour_buckets SET count = count - 1
     WHERE key = $1 AND count > 0 AND window_started_at < $2::timestamptz + interval '1 minute'`,
    [`write:${accountId}`, takenAt],
  );
}
