import fc from "fast-check";
import { createAccount, type TestAccount } from "../support/accounts";
import type { DocumentedOperation } from "../support/api-document";
import { brokenRequests } from "../support/properties/broken-requests";
import { checkOperation } from "../support/properties/check-operation";
import { accountCounts } from "../support/properties/object-pool";
import { AT_ONCE, type PropertyWorld, propertyWorld } from "../support/properties/property-world";
import { uncovered } from "../support/properties/request-sender";
import { validRequests } from "../support/properties/valid-requests";
import { test as base, expect } from "../support/test";
import { WebhookInbox } from "../support/webhook-inbox";

const SEED = Number(process.env.PROPERTY_SEED || 20_260_115);
/** Requests of each operation. */
const RUNS = Number(process.env.PROPERTY_RUNS || 75);
/** What ends or deletes things comes last. */
const ORDER = ["POST", "GET", "PATCH", "PUT", "DELETE"];

/** One world for the file: first it must stay as it is, then it may be turned over. */
const test = base.extend<object, { own: TestAccount; world: PropertyWorld }>({
  own: [
    async ({ serviceUrl }, use) =>
      use(await createAccount(serviceUrl, { superAgent: true, credits: 1_000_000 })),
    { scope: "worker" },
  ],
  world: [
    async ({ own, serviceUrl, stranger, modelUrl, webhookUrl }, use) => {
      const poor = await createAccount(serviceUrl, { credits: 0, writePerHour: 0 });
      const world = await propertyWorld(
        { own, stranger, poor },
        { modelUrl, hookUrl: new WebhookInbox(webhookUrl).url },
      );
      await use(world);
      world.close();
    },
    { scope: "worker", timeout: 600_000 },
  ],
});
test.describe.configure({ mode: "default", timeout: 900_000 });

function rank({ method, path }: DocumentedOperation): number {
  return path.endsWith("/cancel") ? ORDER.length : ORDER.indexOf(method);
}

test("a request that must be refused leaves nothing behind", async ({ world, own }) => {
  const { around, sender } = world;
  const { document, pool } = around;
  const before = await accountCounts(document, pool, own.api);
  for (const operation of document.operations.filter(
    ({ method, auth }) => method !== "GET" && auth === "account",
  )) {
    const requests = fc.sample(brokenRequests(around, validRequests(around, operation)), {
      seed: SEED,
      numRuns: 60,
    });
    for (const request of requests.filter(({ mustRefuse }) => mustRefuse))
      await sender.send(request);
  }
  expect(await accountCounts(document, pool, own.api)).toEqual(before);
});

test("5,000 requests of the document, valid and broken, have fitting answers, no 5xx", async ({
  world,
}) => {
  const { around, sender, tally } = world;
  const started = Date.now();
  const waiting = [...around.document.operations].sort((a, b) => rank(a) - rank(b));
  const failures: string[] = [];
  const lane = async () => {
    for (let operation = waiting.shift(); operation; operation = waiting.shift()) {
      const failure = await checkOperation(around, operation, sender, { seed: SEED, runs: RUNS });
      if (failure) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  console.log(
    `${tally}\nin ${((Date.now() - started) / 1000).toFixed(1)} s with PROPERTY_SEED=${SEED} ` +
      `PROPERTY_RUNS=${RUNS}`,
  );
  expect(failures.join("\n\n")).toBe("");
  expect(uncovered(around.document.operations, tally)).toEqual([]);
  expect(tally.total).toBeGreaterThanOrEqual(5000);
});
