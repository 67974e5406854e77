import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAccount, type TestAccount } from "../support/accounts";
import { freshAddress } from "../support/fresh-address";
import { freePort } from "../support/servers";
import { signInByHttp } from "../support/sessions";
import { type Service, startService } from "../support/start-service";
import { test as base, expect } from "../support/test";
import { type LoadPlan, quantile, startLoad, timeRequests } from "./load";

// What one account's thousand open requests cost another account. A service of its own, so that no
// other test is in the figures.
const IN_FLIGHT = 1_000;
const REQUESTS = 200;
const ROUNDS = 3;
const MOST = 2;

interface Party {
  account: TestAccount;
  cookie: string;
  workspaceId: string;
}

const test = base.extend<
  object,
  { quiet: Service; party: (defaultLimits?: boolean) => Promise<Party> }
>({
  quiet: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-fair-"));
      const logFile = `${folder}.log`;
      // No answer is checked against the document here: that costs more than answering.
      const environment = { CHECK_RESPONSES: "false" };
      const service = await startService({
        port: await freePort(),
        dataDir: path.join(folder, "data"),
        modelUrl,
        logFile,
        environment,
      });
      process.env.E2E_FAIR_DATA_DIR = path.join(folder, "data");
      await use(service);
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 300_000 },
  ],
  party: [
    async ({ quiet }, use) =>
      use(async (defaultLimits = false) => {
        const account = await createAccount(
          quiet.baseUrl,
          { credits: 1_000_000, defaultLimits },
          { DATA_DIR: process.env.E2E_FAIR_DATA_DIR },
        );
        const workspace = (await account.api.post("/v1/workspaces", { name: "w" })).as("Workspace");
        return {
          account,
          cookie: await signInByHttp(quiet.baseUrl, account),
          workspaceId: workspace.workspace_id,
        };
      }),
    { scope: "worker", timeout: 60_000 },
  ],
});
test.describe.configure({ mode: "default" });

const KINDS: Record<
  string,
  (party: Party) => Pick<LoadPlan, "url" | "method" | "headers" | "body">
> = {
  reads: ({ account }) => ({ url: "/v1/runs", headers: bearer(account) }),
  writes: ({ account }) => ({ url: "/v1/workspaces", ...json(account, { name: "another" }) }),
  "starts of runs": ({ account }) => ({
    url: "/v1/runs",
    ...json(account, { input: { text: "Say hello." }, model: "builtin/offline" }),
  }),
  streams: ({ account }) => ({
    url: "/v1/realtime/runs",
    ...json(account, { input: { text: "Say hello." }, model: "builtin/offline" }),
  }),
  uploads: ({ account, workspaceId }) => ({
    url: `/v1/workspaces/${workspaceId}/files?path=a.txt`,
    method: "POST",
    headers: { ...bearer(account), "content-type": "text/plain" },
    body: "x".repeat(16_384),
  }),
  pages: ({ cookie }) => ({ url: "/agents", headers: { cookie } }),
};

for (const [kind, ask] of Object.entries(KINDS))
  test(`1,000 open ${kind} of one account at most double another account's p99 of reading`, async ({
    quiet,
    party,
  }) => {
    test.setTimeout(300_000);
    const [busy, other] = [await party(), await party()];
    const load = { ...at(quiet, ask(busy)), inFlight: IN_FLIGHT, addresses: manyAddresses() };
    await expectFair(kind, load, {
      ...at(quiet, KINDS.reads?.(other)),
      addresses: manyAddresses(),
    });
  });

test("1,000 open requests over an account's and an address's limits cost another little", async ({
  quiet,
  party,
}) => {
  test.setTimeout(300_000);
  const [busy, other] = [await party(true), await party()];
  const load = {
    ...at(quiet, KINDS.reads?.(busy)),
    inFlight: IN_FLIGHT,
    addresses: [freshAddress()],
  };
  await expectFair("refusals", load, {
    ...at(quiet, KINDS.reads?.(other)),
    addresses: manyAddresses(),
  });
});

/**
 * Noise of the machine can only add to a figure: the least of each over the rounds is nearest to
 * the truth, alone as beside the load.
 */
async function expectFair(
  kind: string,
  load: LoadPlan,
  plan: Omit<LoadPlan, "inFlight">,
): Promise<void> {
  await timeRequests(plan, 50);
  let [least, leastBeside] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await timeRequests(plan, REQUESTS);
    const stop = await startLoad(load);
    await timeRequests(plan, 50);
    const beside = await timeRequests(plan, REQUESTS);
    const answered = await stop();
    least = Math.min(least, quantile(alone, 0.99));
    leastBeside = Math.min(leastBeside, quantile(beside, 0.99));
    console.log(
      `${kind}: alone ${figures(alone)}, beside ${figures(beside)}, load ` +
        `${JSON.stringify(answered)}`,
    );
  }
  expect(leastBeside / least).toBeLessThanOrEqual(MOST);
}

function figures(times: number[]): string {
  return [0.5, 0.95, 0.99]
    .map((share) => `p${share * 100} ${quantile(times, share).toFixed(1)} ms`)
    .join(", ");
}

function at(
  service: Service,
  plan: Pick<LoadPlan, "url" | "method" | "headers" | "body"> | undefined,
) {
  if (!plan) throw new Error("There is no such kind of request.");
  return { ...plan, url: `${service.baseUrl}${plan.url}` };
}

function bearer({ apiKey }: TestAccount): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}

function json(account: TestAccount, body: unknown) {
  return {
    method: "POST",
    headers: { ...bearer(account), "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function manyAddresses(): string[] {
  return Array.from({ length: 500 }, freshAddress);
}
