import "server-only";
import { deliveryEvent } from "@/lib/domain/webhooks/delivery-event";
import { dispatchAfterCommit } from "@/lib/engine/dispatch";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

/**
 * Sends the events of deliveries again that nobody has attempted in over a minute: the process died between commit and sending. The event's id is the
 * delivery's and an attempt belongs to its round, so sending twice is harmless.
 */
export async function resendPendingDeliveries(): Promise<void> {
  const { rows } = await postgres().query<{ id: string; account_id: string; url: string; round: number }>(
    `SELECT id, account_id, url, round FROM webhook_deliveries d WHERE status = 'pending' AND round = 0 AND created_at < now() - interval '1 minute'
       AND created_at > now() - interval '1 day' AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = d.id) ORDER BY id LIMIT 500`,
  );
  for (const { id, account_id: accountId, url, round } of rows) {
    await dispatchAfterCommit(deliveryEvent(id, { id, accountId, url, round })).catch((error: unknown) =>
      log.warn({ err: error, delivery_id: id }, "the engine did not take a pending delivery"),
    );
  }
}
