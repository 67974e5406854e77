import { Agent } from "node:http";
import type { TestAccount } from "../accounts";
import { admin } from "../admin";
import { ApiClient } from "../api-client";
import { ApiDocument, DocumentSchemas, type Schema } from "../api-document";
import { ModelScript } from "../model-script";
import { startRun, waitForRun } from "../runs";
import { until } from "../until";
import { collectObjects, ObjectPool } from "./object-pool";
import { RequestSender, StatusTally } from "./request-sender";
import type { Surroundings } from "./schema-values";

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

/**
 * Gives accounts all that requests can name, and readies what makes, sends and judges requests.
 * `poor` has no credits and no writes.
 */
export async function propertyWorld(
  accounts: { own: TestAccount; stranger: TestAccount; poor: TestAccount },
  helpers: Helpers,
): Promise<PropertyWorld> {
  const { own, stranger, poor } = accounts;
  const { baseUrl } = own.api;
  const document = await ApiDocument.read(own.api);
  const pool = new ObjectPool(document);
  const { agentId } = await fillAccount(own.api, "OWN", helpers);
  await fillAccount(stranger.api, "FOREIGN", helpers);
  const appKey = String(
    (await admin(["key", "create", "--email", own.email, "--agent", agentId])).api_key,
  );
  pool.add("kept", APP, `/api/v1/apps/${agentId}`);
  await collectObjects(document, pool, "kept", {
    account: own.api,
    app: new ApiClient(baseUrl, appKey),
  });
  for (const agent of pool.placesOf("kept", "/v1/agents/{agent_id}"))
    if (!agent.endsWith(agentId))
      pool.add("foreign", APP, agent.replace("/v1/agents", "/api/v1/apps"));
  await collectObjects(document, pool, "foreign", { account: stranger.api, app: null });
  // A JSON Schema, as the contract says.
  const schemaAt = async (path: string) => (await own.api.get(path)).json() as Schema;
  const around: Surroundings = {
    document,
    pool,
    hookUrl: helpers.hookUrl,
    configSchema: await schemaAt("/v1/schemas/agent-config.json"),
    dashboardSchema: await schemaAt("/v1/schemas/dashboard-template.json"),
  };
  const tally = new StatusTally();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const keys = {
    own: own.apiKey,
    stranger: stranger.apiKey,
    poor: poor.apiKey,
    unknown: UNKNOWN_KEY,
    none: null,
  };
  const sender = new RequestSender({
    baseUrl,
    agent,
    document,
    schemas: new DocumentSchemas(document, "requests"),
    pool,
    tally,
    keys,
    appKey,
  });
  return { around, sender, tally, close: () => agent.destroy() };
}

interface Helpers {
  modelUrl: string;
  hookUrl: string;
}

/**
 * Gives an account two of everything that can be named in a request: agents, versions, edits, runs
 * in every state, files, secrets and the rest.
 */
async function fillAccount(
  api: ApiClient,
  prefix: string,
  { modelUrl, hookUrl }: Helpers,
): Promise<{ agentId: string }> {
  const agentId = await importAgent(api, "Plain", { version: 1, tools: { memory: true } });
  const other = await importAgent(api, "Other", { version: 1, starters: ["Go"] });
  const asking = await importAgent(api, "Asking", {
    version: 1,
    tools: {
      http: [
        { name: "create_ticket", method: "POST", url: hookUrl, input_schema: { type: "object" } },
      ],
    },
  });
  const archived = await importAgent(api, "Archived", { version: 1 });
  await Promise.all([
    stockWorkspaces(api, agentId),
    stockLists(api, agentId, other, prefix),
    stockRuns(api, agentId, modelUrl, hookUrl),
    waitingRuns(api, asking, modelUrl),
    must(api.delete(`/v1/agents/${archived}`)),
  ]);
  return { agentId };
}

async function importAgent(api: ApiClient, name: string, config: object): Promise<string> {
  const raw = JSON.stringify({
    kind: "agent",
    format: 1,
    name,
    skill_content: `# ${name}\n`,
    config,
    write_autonomy: "approval_required",
  });
  const made = await must(
    api.post("/v1/agents/import", undefined, {
      raw,
      headers: { "content-type": "application/yaml" },
    }),
  );
  return String(made.agent_id);
}

async function stockWorkspaces(api: ApiClient, agentId: string): Promise<void> {
  for (const name of ["First", "Second"]) {
    const { workspace_id: id } = await must(api.post("/v1/workspaces", { name }));
    for (const path of ["notes/a.txt", "notes/b.csv", "empty"])
      await must(
        api.post(`/v1/workspaces/${id}/files`, undefined, {
          raw: path === "empty" ? new Uint8Array() : `text of ${path}`,
          query: { path },
          headers: { "content-type": "application/octet-stream" },
        }),
      );
    if (name === "First") await must(api.put(`/v1/workspaces/${id}/agents/${agentId}`));
  }
}

async function stockLists(
  api: ApiClient,
  agentId: string,
  other: string,
  prefix: string,
): Promise<void> {
  for (const name of [`${prefix}_FIRST`, `${prefix}_SECOND`])
    await must(
      api.post("/v1/secrets", { name, value: "v", allowed_hosts: ["api.unknown.invalid"] }),
    );
  for (const query of ["first", "second"])
    await must(
      api.post("/v1/connections", { server_url: `${process.env.E2E_OAUTH_MCP_URL}?${query}` }),
    );
  for (const name of ["first-skill", "second-skill"])
    await must(api.post("/v1/skills", { content: `---\nname: ${name}\ndescription: x\n---\n` }));
  for (const agent of [agentId, other]) {
    await must(api.post(`/v1/agents/${agent}/schedules`, { cron: "0 9 1 1 *" }));
    await must(api.patch(`/v1/agents/${agent}`, { description: "Changed once." }));
    const edit = await must(api.post(`/v1/agents/${agent}/edits`, { input: "Answer in German." }));
    await waitForRun(api, String(edit.run_id));
  }
}

async function stockRuns(
  api: ApiClient,
  agentId: string,
  modelUrl: string,
  hookUrl: string,
): Promise<void> {
  const plain = await startRun(api, {
    agent_id: agentId,
    input: { question: "1" },
    webhook_url: hookUrl,
    metadata: { customer: "c" },
  });
  const failing = await ModelScript.register(modelUrl, [{ status: 400, error_message: "no" }]);
  const failed = await startRun(api, { input: { question: failing.mark } });
  const held = await ModelScript.register(modelUrl, [{ hold_first: true, text: "never" }]);
  const cancelled = await startRun(api, { input: { question: held.mark } });
  await must(api.post(`/v1/runs/${cancelled.run_id}/cancel`));
  const args = { title: "Made", name: "made.txt", type: "text/plain", content: "x" };
  const making = await ModelScript.register(modelUrl, [
    { tool_calls: Array.from({ length: 8 }, () => ({ name: "artifacts", args, fill: true })) },
    { text: "Made." },
  ]);
  const made = await startRun(api, { input: { question: making.mark } });
  const noting = await ModelScript.register(modelUrl, [
    {
      tool_calls: Array.from({ length: 8 }, (_, index) => ({
        name: "memory",
        args: { action: "save", text: `Note ${index}` },
      })),
    },
    { text: "Noted." },
  ]);
  const noted = await startRun(api, { agent_id: agentId, input: { question: noting.mark } });
  for (const run of [plain, failed, cancelled, made, noted]) await waitForRun(api, run.run_id);
  await until(
    "the webhook's delivery",
    async () => (await api.get(`/v1/runs/${plain.run_id}`)).as("Run").webhook_delivered_at,
  );
}

/** Runs that wait for a person. */
async function waitingRuns(api: ApiClient, agentId: string, modelUrl: string): Promise<void> {
  const script = await ModelScript.register(modelUrl, [
    { tool_calls: [{ name: "create_ticket", args: { title: "x" } }] },
  ]);
  await Promise.all(
    [1, 2, 3, 4].map(() => startRun(api, { agent_id: agentId, input: { question: script.mark } })),
  );
  await until(
    "four approvals",
    async () => (await api.get("/v1/approvals")).as("ApprovalPage").data.length >= 4,
  );
}

async function must(answering: ReturnType<ApiClient["get"]>): Promise<Record<string, unknown>> {
  const answer = await answering;
  if (answer.status >= 300)
    throw new Error(`The set-up was refused: ${answer.status} ${answer.text}`);
  // An object of the API.
  return answer.text === "" ? {} : (answer.json() as Record<string, unknown>);
}
