import "server-only";
import { failDelivery } from "@/lib/domain/webhooks/attempt-delivery";
import { LOST_HOURS, ROUND_DAYS } from "@/lib/domain/webhooks/deliveries";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

const BATCH = 500;

// A row is never younger than its round: `created_at` is what the index of pending ones has.
const GIVEN_UP = `
SELECT d.id, d.round FROM webhook_deliveries d
WHERE d.status = 'pending' AND d.created_at <= now() - interval '${ROUND_DAYS} days'
  AND d.requested_at <= now() - interval '${ROUND_DAYS} days'
  AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = d.id
      AND a.at > now() - interval '${LOST_HOURS} hours')
ORDER BY d.id LIMIT ${BATCH}`;

/**
 * With an Inngest server: a round that came to nothing for a day, and that nobody attempts any
 * more, has failed, and says so: its owner can send it again.
 */
export async function giveUpDeliveries(): Promise<void> {
  const { rows } = await postgres().query<{ id: string; round: number }>(GIVEN_UP);
  for (const { id, round } of rows) {
    log.warn({ delivery_id: id, round }, "a delivery that came to nothing for a day was given up");
    await failDelivery(id, round);
  }
}
