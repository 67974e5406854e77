import "server-only";
import { failDelivery } from "@/lib/domain/webhooks/attempt-delivery";
import { deliveryEvent } from "@/lib/domain/webhooks/deliveries";
import { dispatchAfterCommit } from "@/lib/engine/client";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

/** Longer than any pause between two attempts, a receiver's `Retry-After` included. */
const LOST_HOURS = 3;
/** How long a round is told again; an Inngest server knows an event's id for as long. */
const ROUND_DAYS = 1;
const BATCH = 500;

// A row is never younger than its round: `created_at` is what the index of pending ones has.
const UNATTEMPTED = `
SELECT d.id, d.account_id AS "accountId", d.url, d.round, made.attempts, made.last IS NOT NULL AS lost
FROM webhook_deliveries d CROSS JOIN LATERAL (
  SELECT count(*)::int AS attempts, max(at) FILTER (WHERE at >= d.requested_at) AS last FROM webhook_attempts WHERE delivery_id = d.id
) made
WHERE d.status = 'pending' AND d.created_at < now() - interval '1 minute' AND d.requested_at < now() - interval '1 minute'
  AND d.requested_at > now() - interval '${ROUND_DAYS} days' AND (made.last IS NULL OR made.last < now() - interval '${LOST_HOURS} hours')
ORDER BY d.id LIMIT ${BATCH}`;

const GIVEN_UP = `
SELECT d.id, d.round FROM webhook_deliveries d
WHERE d.status = 'pending' AND d.created_at <= now() - interval '${ROUND_DAYS} days' AND d.requested_at <= now() - interval '${ROUND_DAYS} days'
  AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = d.id AND a.at > now() - interval '${LOST_HOURS} hours')
ORDER BY d.id LIMIT ${BATCH}`;

/**
 * Tells an Inngest server again of deliveries that nobody attempts. In over a minute: the process
 * died between commit and sending; the round's event has one id, so sending twice is harmless. In
 * hours: the server has lost the round after an attempt; under another id, for it may know the
 * first. What came to nothing for a day has failed, and says so: its owner can send it again.
 */
export async function resendPendingDeliveries(): Promise<void> {
  const { rows } = await postgres().query<
    Parameters<typeof deliveryEvent>[0] & { attempts: number; lost: boolean }
  >(UNATTEMPTED);
  for (const { attempts, lost, ...delivery } of rows) {
    await dispatchAfterCommit(deliveryEvent(delivery, lost ? attempts : null)).catch(
      (error: unknown) =>
        log.warn(
          { err: error, delivery_id: delivery.id },
          "the engine did not take a pending delivery",
        ),
    );
  }
  const over = await postgres().query<{ id: string; round: number }>(GIVEN_UP);
  for (const { id, round } of over.rows) {
    log.warn({ delivery_id: id, round }, "a delivery that came to nothing for a day was given up");
    await failDelivery(id, round);
  }
}
