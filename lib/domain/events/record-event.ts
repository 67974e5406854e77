import "server-only";
import { deliveryEvent } from "@/lib/domain/webhooks/deliveries";
import { dispatchInTransaction, type LatheEvent } from "@/lib/engine/client";
import type { EventData, EventType } from "@/lib/model/events/event-types";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/platform/postgres";

export interface AccountEventFact {
  accountId: string;
  type: EventType;
  data: EventData;
}

const INSERT = {
  name: "record-account-event",
  text: `
    WITH event AS (
      INSERT INTO account_events (id, account_id, type, data) VALUES ($1, $2, $3, $4) RETURNING created_at
    )
    SELECT e.id AS "endpointId", e.url, event.created_at AS "createdAt" FROM event
    LEFT JOIN webhook_endpoints e ON e.account_id = $2 AND e.enabled AND e.events && ARRAY['*', $3]`,
};

/**
 * Says that something has happened in an account, in the transaction that makes it true: it is in
 * the account's feed, and on its way to each endpoint that listens for it, when and only if that
 * commits. One statement where no endpoint does.
 * @returns what an Inngest server is to be told of after the commit
 */
export async function recordEvent(tx: Transaction, fact: AccountEventFact): Promise<LatheEvent[]> {
  const id = newId();
  const { rows } = await tx.query<{
    endpointId: string | null;
    url: string | null;
    createdAt: Date;
  }>({ ...INSERT, values: [id, fact.accountId, fact.type, JSON.stringify(fact.data)] });
  const told: LatheEvent[] = [];
  for (const { endpointId, url, createdAt } of rows)
    if (endpointId !== null && url !== null)
      told.push(await insertEventDelivery(tx, { ...fact, id, createdAt }, { id: endpointId, url }));
  return told;
}

interface Told {
  accountId: string;
  type: string;
  data: EventData;
  id: string;
  createdAt: Date;
}

/** An event's way to one endpoint, by Standard Webhooks. */
export async function insertEventDelivery(
  tx: Transaction,
  event: Told,
  endpoint: { id: string; url: string },
): Promise<Extract<LatheEvent, { name: "webhook/requested" }>> {
  const id = newId();
  const { accountId, type, data } = event;
  const payload = {
    ...{ id: event.id, type, created_at: event.createdAt.toISOString() },
    ...{ account_id: accountId, data },
  };
  await tx.query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload, endpoint_id, event_id, event_type)
     VALUES ($1, $2, $3, $4, 'pending', $5, $6, $7, $8)`,
    [
      ...[id, data.run_id ?? null, accountId, endpoint.url, JSON.stringify(payload)],
      ...[endpoint.id, event.id, type],
    ],
  );
  const told = deliveryEvent({ id, accountId, url: endpoint.url, round: 0 });
  await dispatchInTransaction(tx, told);
  return told;
}
