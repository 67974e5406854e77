import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createEndpoint, deleteEndpoint, testEndpoint } from "@/lib/domain/events/endpoints";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { requireDelivery } from "@/lib/domain/webhooks/deliveries";
import { redeliver } from "@/lib/domain/webhooks/redeliver";

let database: DomainDatabase;
let owner: Principal;
beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
      EGRESS_ALLOW: "127.0.0.1:9",
    },
  });
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

/** A delivery to an endpoint of the account, as the id of each. */
async function delivered(): Promise<{ endpointId: string; deliveryId: string }> {
  const { endpoint } = await createEndpoint(owner, {
    url: "http://127.0.0.1:9/events",
    events: ["*"],
    description: null,
    enabled: true,
  });
  const { id } = await testEndpoint(owner, endpoint.id);
  return { endpointId: endpoint.id, deliveryId: id };
}

async function requested(deliveryId: string): Promise<number | null> {
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM engine_events WHERE data LIKE '%' || $1 || '%'",
    [deliveryId],
  );
  return rowCount;
}

test("what went to an endpoint that is deleted is not sent again, and says so", async () => {
  const { endpointId, deliveryId } = await delivered();
  expect(await redeliver(owner, deliveryId)).toMatchObject({ status: "pending", round: 1 });
  expect(await requested(deliveryId)).toBe(2);
  await deleteEndpoint(owner, endpointId);
  await expect(redeliver(owner, deliveryId)).rejects.toMatchObject({ code: "ENDPOINT_NOT_FOUND" });
  expect(await requireDelivery(owner, deliveryId)).toMatchObject({ status: "failed", round: 1 });
  expect(await requested(deliveryId)).toBe(2);
});

test("of a redelivery and its endpoint's deletion at once none leaves one waiting", async () => {
  const { endpointId, deliveryId } = await delivered();
  const [again] = await Promise.allSettled([
    redeliver(owner, deliveryId),
    deleteEndpoint(owner, endpointId),
  ]);
  if (again.status === "rejected")
    expect(again.reason).toMatchObject({ code: "ENDPOINT_NOT_FOUND" });
  expect(await requireDelivery(owner, deliveryId)).toMatchObject({ status: "failed" });
});
