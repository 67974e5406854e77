import "server-only";
import { deliveryEvent } from "@/lib/domain/webhooks/deliveries";
import { dispatchInTransaction, type LatheEvent } from "@/lib/engine/client";
import type { EventData } from "@/lib/model/events/event-types";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/platform/postgres";

interface Told {
  accountId: string;
  type: string;
  data: EventData;
}

/**
 * An event's way to one endpoint, by Standard Webhooks, as `record_event` makes it for what happens
 * in an account.
 */
export async function insertEventDelivery(
  tx: Transaction,
  { accountId, type, data }: Told,
  endpoint: { id: string; url: string },
): Promise<Extract<LatheEvent, { name: "webhook/requested" }>> {
  const [id, eventId] = [newId(), newId()];
  const createdAt = new Date().toISOString();
  const payload = { id: eventId, type, created_at: createdAt, account_id: accountId, data };
  await tx.query(
    `INSERT INTO webhook_deliveries (id, account_id, url, status, payload, endpoint_id, event_id, event_type)
     VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7)`,
    [id, accountId, endpoint.url, JSON.stringify(payload), endpoint.id, eventId, type],
  );
  const told = deliveryEvent({ id, accountId, url: endpoint.url, round: 0 });
  await dispatchInTransaction(tx, told);
  return told;
}
