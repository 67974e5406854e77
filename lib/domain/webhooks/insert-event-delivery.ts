import "server-only";
import { deliveryEvent } from "@/lib/domain/webhooks/deliveries";
import { dispatch } from "@/lib/engine/client";
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
 * @returns the delivery's id
 */
export async function insertEventDelivery(
  tx: Transaction,
  { accountId, type, data }: Told,
  endpoint: { id: string; url: string },
): Promise<string> {
  const [id, eventId] = [newId(), newId()];
  const createdAt = new Date().toISOString();
  const payload = { id: eventId, type, created_at: createdAt, account_id: accountId, data };
  await tx.query(
    `INSERT INTO webhook_deliveries (id, account_id, url, status, payload, endpoint_id, event_id,
       event_type)
     VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7)`,
    [id, accountId, endpoint.url, JSON.stringify(payload), endpoint.id, eventId, type],
  );
  await dispatch(tx, deliveryEvent({ id, accountId, url: endpoint.url, round: 0 }));
  return id;
}
