import { createClient } from "@/lib/client/lathe-client";
import { typescriptDriver } from "../support/client-driver";
import { test, testClient } from "../support/client-test";
import { expect } from "../support/test";

testClient("the TypeScript client", async () => typescriptDriver());

test("a signal ends a wait at once, and leaves the run to be cancelled", async ({
  client,
  script,
}) => {
  const one = await script({ text: "x", hold_first: true });
  const run = await client.runs.create({ input: { text: one.mark } });
  const waiting = client.runs.wait(run.run_id, { signal: AbortSignal.timeout(300) });
  await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
  expect(await client.runs.cancel(run.run_id)).toMatchObject({ run_id: run.run_id });
  expect((await client.runs.wait(run.run_id)).status).toBe("cancelled");
});

test("a full budget is waited for as long as Retry-After says", async ({
  newAccount,
  serviceUrl,
}) => {
  const { apiKey } = await newAccount({ readPerMinute: 5 });
  const statuses: number[] = [];
  const recording = async (request: Request) => {
    const response = await fetch(request);
    statuses.push(response.status);
    return response;
  };
  const client = createClient({ apiKey, baseUrl: serviceUrl, fetch: recording });
  const usages = await Promise.all(Array.from({ length: 8 }, () => client.account.usage()));
  expect(usages).toHaveLength(8);
  expect(statuses.filter((status) => status === 200)).toHaveLength(8);
  // A minute that turns in between may let more through at once; a second full one would need more
  // than these.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
});
