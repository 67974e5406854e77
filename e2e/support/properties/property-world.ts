import { Agent } from "node:http";
import { admin } from "../admin";
import { ApiClient } from "../api-client";
import type { TestAccount } from "../create-account";
import { ApiDocument, type Schema } from "./api-document";
import { DocumentSchemas } from "./document-schemas";
import { harvest } from "./harvest";
import type { Surroundings } from "./known-values";
import { ObjectPool } from "./object-pool";
import { RequestSender } from "./request-sender";
import { StatusTally } from "./status-tally";
import { type Helpers, stockAccount } from "./stock-account";

/** Requests that are under way at the same time. */
export const AT_ONCE = 8;

export interface PropertyWorld {
  around: Surroundings;
  sender: RequestSender;
  tally: StatusTally;
  close(): void;
}

const APP = "/api/v1/apps/{appId}";
const UNKNOWN_KEY = `svc_sk_${"0".repeat(49)}`;

/** Gives accounts all that requests can name, and readies what makes, sends and judges requests. `poor` has no credits and no writes. */
export async function propertyWorld(
  accounts: { own: TestAccount; stranger: TestAccount; poor: TestAccount },
  helpers: Helpers,
): Promise<PropertyWorld> {
  const { own, stranger, poor } = accounts;
  const { baseUrl } = own.api;
  const document = await ApiDocument.read(own.api);
  const pool = new ObjectPool(document);
  const { agentId } = await stockAccount(own.api, "OWN", helpers);
  await stockAccount(stranger.api, "FOREIGN", helpers);
  const appKey = String((await admin(["key", "create", "--email", own.email, "--agent", agentId])).api_key);
  pool.add("kept", APP, `/api/v1/apps/${agentId}`);
  await harvest(document, pool, "kept", { account: own.api, app: new ApiClient(baseUrl, appKey) });
  for (const agent of pool.placesOf("kept", "/v1/agents/{agent_id}"))
    if (!agent.endsWith(agentId)) pool.add("foreign", APP, agent.replace("/v1/agents", "/api/v1/apps"));
  await harvest(document, pool, "foreign", { account: stranger.api, app: null });
  const schemaAt = async (path: string) => (await own.api.get(path)).json() as Schema; // a JSON Schema, as the contract says
  const around: Surroundings = {
    document,
    pool,
    hookUrl: helpers.hookUrl,
    configSchema: await schemaAt("/v1/schemas/agent-config.json"),
    dashboardSchema: await schemaAt("/v1/schemas/dashboard-template.json"),
  };
  const tally = new StatusTally();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const keys = { own: own.apiKey, stranger: stranger.apiKey, poor: poor.apiKey, unknown: UNKNOWN_KEY, none: null };
  const sender = new RequestSender({ baseUrl, agent, document, schemas: new DocumentSchemas(document), pool, tally, keys, appKey });
  return { around, sender, tally, close: () => agent.destroy() };
}
