import { test as base } from "@playwright/test";
import type { LatheClient } from "@/lib/client/lathe-client";
import { type AccountOptions, createAccount, type TestAccount } from "./accounts";
import { type AgentOptions, createAgent } from "./agents";
import { ApiClient } from "./api-client";
import type { Agent } from "./api-document";
import { freshAddress } from "./fresh-address";
import { ModelScript, type ScriptTurn } from "./model-script";
import { WebhookInbox } from "./webhook-inbox";

interface WorkerFixtures {
  serviceUrl: string;
  modelUrl: string;
  webhookUrl: string;
  /** An account shared by one worker's tests, with wide budgets and a full wallet. */
  account: TestAccount;
  /** Another account, for the isolation cases. */
  stranger: TestAccount;
  /** A plain agent of `account`. */
  sharedAgent: Agent;
}

interface TestFixtures {
  /**
   * The raw requests of `account`: for what the typed client would not send, and for looking at
   * headers.
   */
  api: ApiClient;
  /** The typed client of `account`. */
  client: LatheClient;
  anonymous: ApiClient;
  /** An account of the test's own: for tests that look at a wallet, a list or a limit. */
  newAccount: (options?: AccountOptions) => Promise<TestAccount>;
  script: (...turns: ScriptTurn[]) => Promise<ModelScript>;
  newAgent: (options?: AgentOptions, api?: ApiClient) => Promise<Agent>;
  inbox: WebhookInbox;
}

/**
 * The API tests' `test`: one server for the suite, shared accounts a worker, and scripted models.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  // The global setup sets these before a worker starts.
  serviceUrl: [process.env.E2E_BASE_URL ?? "", { scope: "worker", option: true }],
  modelUrl: [process.env.E2E_MODEL_URL ?? "", { scope: "worker", option: true }],
  webhookUrl: [process.env.E2E_WEBHOOK_URL ?? "", { scope: "worker", option: true }],
  account: [
    async ({ serviceUrl }, use) => use(await createAccount(serviceUrl, { credits: 1_000_000 })),
    { scope: "worker", timeout: 600_000 },
  ],
  stranger: [
    async ({ serviceUrl }, use) => use(await createAccount(serviceUrl, { credits: 1_000_000 })),
    { scope: "worker", timeout: 600_000 },
  ],
  sharedAgent: [
    async ({ account, modelUrl }, use) => use(await createAgent(account.api, modelUrl)),
    { scope: "worker", timeout: 600_000 },
  ],
  baseURL: ({ serviceUrl }, use) => use(serviceUrl),
  // Of each test's pages: its own address, so that it has the default limit of one to itself.
  extraHTTPHeaders: ({ serviceUrl: _ }, use) => use({ "x-forwarded-for": freshAddress() }),
  api: ({ account }, use) => use(account.api),
  client: ({ account }, use) => use(account.client),
  anonymous: ({ serviceUrl }, use) => use(new ApiClient(serviceUrl, null)),
  newAccount: ({ serviceUrl }, use) => use((options) => createAccount(serviceUrl, options)),
  script: ({ modelUrl }, use) => use((...turns) => ModelScript.register(modelUrl, turns)),
  newAgent: ({ api, modelUrl }, use) =>
    use((options, other) => createAgent(other ?? api, modelUrl, options)),
  inbox: ({ webhookUrl }, use) => use(new WebhookInbox(webhookUrl)),
});

export { expect } from "@playwright/test";
