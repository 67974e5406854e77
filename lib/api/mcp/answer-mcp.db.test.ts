import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { answerMcp } from "@/lib/api/mcp/answer-mcp";
import { answerResourceMetadata } from "@/lib/api/mcp/resource-metadata";
import { createAccount } from "@/lib/domain/account/create-account";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { insertAgent } from "@/lib/domain/agents/insert-agent";
import { createKey } from "@/lib/domain/keys/create-key";
import { type Principal, systemPrincipal } from "@/lib/domain/principal";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { functions } from "@/lib/jobs/functions";
import { startScriptedModel } from "@/lib/jobs/test/scripted-model";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { AGENT_ROUTE_KINDS } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";
import { postgres, transaction } from "@/lib/platform/postgres";

const model = await startScriptedModel();
const database = await openDomainDatabase({
  env: {
    OPENAI_COMPATIBLE_BASE_URL: model.baseUrl,
    OPENAI_COMPATIBLE_MODELS: "scripted",
    LOG_LEVEL: "error",
    RATE_LIMIT_PER_MINUTE: "1000",
  },
});

const URL_OF_IT = new URL("http://lathe.test/mcp");
const clients: Client[] = [];
let executor: ReturnType<typeof startEmbeddedExecutor>;
let owner: Principal;
let key: string;

beforeAll(() => {
  executor = startEmbeddedExecutor({
    functions,
    pool: postgres(),
    concurrency: 10,
  });
});

afterAll(async () => {
  await Promise.all([...clients, ...newClients].map((client) => client.close()));
  await (await executor).stop({ graceMs: 1_000 });
  await model.close();
  await database.close();
});

beforeEach(async () => {
  ({ owner, key } = await newOwner(10_000));
});

async function newOwner(credits: number) {
  const { accountId } = await createAccount({
    email: `${newId()}@example.test`,
    password: null,
    credits,
  });
  const owner = systemPrincipal(accountId);
  const { apiKey } = await createKey(owner, { name: "mcp", agentId: null, expiresAt: null });
  return { owner, key: apiKey };
}

async function newAgent(name: string, config: Omit<AgentConfig, "version"> = {}): Promise<string> {
  const agentId = newId();
  const draft = {
    name,
    description: `${name} does it.`,
    skillContent: "# A",
    config: { version: 1 as const, tools: { builtin: [] }, ...config },
    configContent: "version: 1\n",
    keyOrder: null,
    dashboardTemplate: null,
    writeAutonomy: "blocked" as const,
  };
  await transaction((tx) =>
    insertAgent(
      tx,
      { agentId, accountId: owner.accountId, runId: newId(), version: "1.0.0", releaseNote: null },
      draft,
    ),
  );
  return agentId;
}

/** The official client, with the handler in place of the network. */
async function connect(bearer = key): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(URL_OF_IT, {
    requestInit: { headers: { authorization: `Bearer ${bearer}` } },
    fetch: (url, init) => answerMcp(new Request(url, init)),
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

/** The official client of the revision 2026-07-28, and what it has sent. */
async function connectNew(bearer = key, headers: Record<string, string> = {}) {
  const sent: string[] = [];
  const client = new NewClient(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  const transport = new NewTransport(URL_OF_IT, {
    requestInit: { headers: { authorization: `Bearer ${bearer}`, ...headers } },
    fetch: async (url, init) => {
      const request = new Request(url, init);
      sent.push(request.headers.get("mcp-method") ?? request.method);
      return answerMcp(request);
    },
  });
  await client.connect(transport);
  newClients.push(client);
  return { client, sent };
}

const newClients: NewClient[] = [];

const textOf = (result: unknown) =>
  (result as CallToolResult).content
    .map((part) => (part.type === "text" ? part.text : part.type))
    .join();

const post = (body: unknown, headers: Record<string, string> = {}) =>
  answerMcp(
    new Request(URL_OF_IT, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(body),
    }),
  );

test("the account's active agents are tools, with inputs as schemas; no others", async () => {
  const inputs = { type: "object", properties: { month: { type: "string" } }, required: ["month"] };
  const reader = await newAgent("Sales reader", { inputs });
  await newAgent("Ümläut!");
  await archiveAgent(owner, await newAgent("Gone"));
  const { tools } = await (await connect()).listTools();
  expect(tools.map(({ name, title }) => [name.replace(/[0-9a-f]{12}$/, ""), title])).toEqual([
    ["u_mla_ut_", "Ümläut!"],
    ["sales_reader_", "Sales reader"],
  ]);
  expect(tools[1]).toMatchObject({
    name: `sales_reader_${reader.slice(-12)}`,
    description: "Sales reader does it.",
    inputSchema: inputs,
  });
  const other = await newOwner(10);
  expect((await (await connect(other.key)).listTools()).tools).toEqual([]);
  const foreign = (await connect(other.key)).callTool({
    name: tools[1]?.name ?? "",
    arguments: { month: "May" },
  });
  await expect(foreign).rejects.toThrow(/There is no tool/);
});

test("a call is a run that is followed to its end, and its text is the result", async () => {
  const agentId = await newAgent("Echo");
  model.play([{ text: "It is May." }]);
  const client = await connect();
  const [tool] = (await client.listTools()).tools;
  const result = await client.callTool({
    name: tool?.name ?? "",
    arguments: { request: "Which month?" },
  });
  expect(result).toMatchObject({
    content: [{ type: "text", text: "It is May." }],
    structuredContent: { text: "It is May." },
  });
  const runs = await listRuns(owner, { limit: 5, cursor: null }, noFilter);
  expect(runs.data).toMatchObject([
    { agentId, kind: "agent", status: "completed", input: { request: "Which month?" } },
  ]);
  expect(result._meta).toMatchObject({ run_id: runs.data[0]?.id });
});

const noFilter = {
  kinds: AGENT_ROUTE_KINDS,
  statuses: null,
  agentId: null,
  conversationId: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
};

test("an agent's output_schema is the tool's; its result is structured content", async () => {
  const output_schema = {
    type: "object",
    properties: { total: { type: "number" } },
    required: ["total"],
  };
  await newAgent("Sum", { output_schema });
  model.play([{ text: '{"total": 7}' }]);
  const client = await connect();
  const [tool] = (await client.listTools()).tools;
  expect(tool?.outputSchema).toEqual(output_schema);
  expect(
    (await client.callTool({ name: tool?.name ?? "", arguments: {} })).structuredContent,
  ).toEqual({ total: 7 });
});

test("a failed, refused or unfitting run is a result with isError and words", async () => {
  await newAgent("Deep", {
    inputs: { type: "object", required: ["month"] },
    limits: { max_steps: 1 },
    tools: { builtin: ["todo"] },
  });
  model.play([{ calls: [{ id: "c1", name: "todo", args: { items: [] } }] }]);
  const client = await connect();
  const name = (await client.listTools()).tools[0]?.name ?? "";
  const failed = await client.callTool({ name, arguments: { month: "May" } });
  expect([failed.isError, textOf(failed)]).toEqual([
    true,
    expect.stringMatching(/^STEP_LIMIT_EXCEEDED: /),
  ]);
  const misfit = await client.callTool({ name, arguments: {} });
  expect([misfit.isError, textOf(misfit)]).toEqual([
    true,
    expect.stringMatching(/^INVALID_INPUT: .*month/),
  ]);
  await postgres().query("UPDATE accounts SET available_micros = 0 WHERE id = $1", [
    owner.accountId,
  ]);
  const poor = await client.callTool({ name, arguments: { month: "May" } });
  expect([poor.isError, textOf(poor)]).toEqual([
    true,
    expect.stringMatching(/^INSUFFICIENT_CREDITS: /),
  ]);
});

test("an app key has its own agent and no other, its runs those of the app path", async () => {
  await newAgent("Other");
  const agentId = await newAgent("Mine");
  const { apiKey } = await createKey(owner, { name: "app", agentId, expiresAt: null });
  const client = await connect(apiKey);
  const { tools } = await client.listTools();
  expect(tools.map(({ title }) => title)).toEqual(["Mine"]);
  model.play([{ text: "Done." }]);
  expect(textOf(await client.callTool({ name: tools[0]?.name ?? "", arguments: {} }))).toBe(
    "Done.",
  );
  expect((await listRuns(owner, { limit: 5, cursor: null }, noFilter)).data).toMatchObject([
    { kind: "app", agentId },
  ]);
});

test("a client that cancels its call cancels the run", async () => {
  await newAgent("Waits", { tools: { builtin: ["todo"] }, permissions: { ask: ["todo"] } });
  model.play([
    { calls: [{ id: "c1", name: "todo", args: { items: [{ text: "Wait", done: false }] } }] },
  ]);
  const client = await connect();
  const name = (await client.listTools()).tools[0]?.name ?? "";
  const abort = new AbortController();
  const seen: string[] = [];
  const options = {
    signal: abort.signal,
    onprogress: ({ message = "" }) => {
      seen.push(message);
      if (message.startsWith("Waits for a person")) abort.abort();
    },
  };
  await expect(client.callTool({ name, arguments: {} }, undefined, options)).rejects.toThrow();
  expect(seen[0]).toBe("The run has begun.");
  await vi.waitUntil(
    async () =>
      (await listRuns(owner, { limit: 5, cursor: null }, noFilter)).data[0]?.status === "cancelled",
    {
      timeout: 20_000,
    },
  );
});

test("an agent with client tools is ended and says why: none could answer", async () => {
  const tool = { name: "find", description: "Finds.", input_schema: {} };
  await newAgent("Asks", { tools: { builtin: [], client: [tool] } });
  model.play([{ calls: [{ id: "c1", name: "find", args: {} }] }]);
  const client = await connect();
  const result = await client.callTool({
    name: (await client.listTools()).tools[0]?.name ?? "",
    arguments: {},
  });
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining("client tools")]);
  expect((await listRuns(owner, { limit: 5, cursor: null }, noFilter)).data[0]?.status).toBe(
    "cancelled",
  );
});

test("the list comes in pages", async () => {
  for (let n = 0; n < 55; n += 1) await newAgent(`Agent ${n}`);
  const client = await connect();
  const first = await client.listTools();
  const second = await client.listTools({ cursor: first.nextCursor ?? "" });
  expect([first.tools.length, second.tools.length, second.nextCursor]).toEqual([50, 5, undefined]);
  await expect(client.listTools({ cursor: "nonsense" })).rejects.toThrow(/cursor/);
});

test("without a key, or a false one, the answer is the API's 401, unread", async () => {
  const other = key.endsWith("x") ? "y" : "x";
  for (const authorization of [
    "",
    "Bearer svc_sk_nonsense",
    `Bearer ${key.slice(0, -1)}${other}`,
  ]) {
    const response = await post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { authorization });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer resource_metadata="http://lathe.test/.well-known/oauth-protected-resource/mcp"',
    ]);
    expect(await response.json()).toMatchObject({ error: "AUTHENTICATION_REQUIRED" });
  }
});

test("other methods answer 405, a batch 400, and one request too many 429", async () => {
  const headers = { authorization: `Bearer ${key}` };
  const get = await answerMcp(new Request(URL_OF_IT, { headers }));
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  expect((await post([{ jsonrpc: "2.0", id: 1, method: "tools/list" }], headers)).status).toBe(400);
  await postgres().query("UPDATE accounts SET read_per_minute = 1 WHERE id = $1", [
    owner.accountId,
  ]);
  const statuses = [];
  for (let n = 0; n < 3; n += 1)
    statuses.push((await post({ jsonrpc: "2.0", id: n, method: "tools/list" }, headers)).status);
  expect(statuses.at(-1)).toBe(429);
});

test("a client of 2026-07-28 discovers, lists and calls by one request each", async () => {
  const agentId = await newAgent("Echo");
  model.play([{ text: "It is May." }]);
  const { client, sent } = await connectNew();
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  const listed = await client.listTools();
  expect(listed).toMatchObject({ cacheScope: "private", tools: [{ title: "Echo" }] });
  expect(listed.ttlMs).toBeGreaterThan(0);
  const seen: string[] = [];
  const result = await client.callTool(
    { name: listed.tools[0]?.name ?? "", arguments: { request: "Which month?" } },
    { onprogress: ({ message = "" }) => seen.push(message) },
  );
  expect(result).toMatchObject({
    content: [{ type: "text", text: "It is May." }],
    structuredContent: { text: "It is May." },
  });
  expect(seen[0]).toBe("The run has begun.");
  expect(sent).toEqual(["server/discover", "tools/list", "tools/call"]);
  expect((await listRuns(owner, { limit: 5, cursor: null }, noFilter)).data).toMatchObject([
    { agentId, status: "completed" },
  ]);
});

test("a client of the revision 2026-07-28 that leaves has cancelled its run", async () => {
  await newAgent("Waits", { tools: { builtin: ["todo"] }, permissions: { ask: ["todo"] } });
  model.play([
    { calls: [{ id: "c1", name: "todo", args: { items: [{ text: "Wait", done: false }] } }] },
  ]);
  const { client } = await connectNew();
  const name = (await client.listTools()).tools[0]?.name ?? "";
  const abort = new AbortController();
  const call = client.callTool(
    { name, arguments: {} },
    {
      signal: abort.signal,
      onprogress: ({ message = "" }) => {
        if (message.startsWith("Waits for a person")) abort.abort();
      },
    },
  );
  await expect(call).rejects.toThrow();
  await vi.waitUntil(
    async () =>
      (await listRuns(owner, { limit: 5, cursor: null }, noFilter)).data[0]?.status === "cancelled",
    { timeout: 20_000 },
  );
});

test("without a session the Idempotency-Key has two calls start one run", async () => {
  await newAgent("Once");
  model.play([{ text: "Once." }, { text: "Twice." }]);
  const { client } = await connectNew(key, { "idempotency-key": "order-4711" });
  const name = (await client.listTools()).tools[0]?.name ?? "";
  const first = await client.callTool({ name, arguments: { request: "Go." } });
  const again = await client.callTool({ name, arguments: { request: "Go." } });
  expect([textOf(first), textOf(again)]).toEqual(["Once.", "Once."]);
  const other = await client.callTool({ name, arguments: { request: "Stop." } });
  expect([other.isError, textOf(other)]).toEqual([
    true,
    expect.stringMatching(/^IDEMPOTENCY_CONFLICT: /),
  ]);
  expect((await listRuns(owner, { limit: 5, cursor: null }, noFilter)).data).toHaveLength(1);
});

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

test("nobody holds a stream of changes open, for none are announced", async () => {
  const params = { notifications: { toolsListChanged: true }, _meta: envelope };
  const response = await post(
    { jsonrpc: "2.0", id: "l1", method: "subscriptions/listen", params },
    {
      authorization: `Bearer ${key}`,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "subscriptions/listen",
    },
  );
  expect([response.status, await response.json()]).toEqual([
    404,
    { jsonrpc: "2.0", id: "l1", error: { code: -32601, message: "Method not found" } },
  ]);
});

test("a page of another origin is refused, by a name that was rebound too", async () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const ask = async (url: string, origin: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      origin,
    };
    const request = new Request(url, { method: "POST", headers, body: JSON.stringify(ping) });
    return (await answerMcp(request)).status;
  };
  expect(await ask("http://evil.test/mcp", "http://evil.test")).toBe(403);
  expect(await ask("http://127.0.0.1:3000/mcp", "http://evil.test")).toBe(403);
  expect(await ask("http://127.0.0.1:3000/mcp", "null")).toBe(403);
  expect(await ask("http://127.0.0.1:3000/mcp", "http://127.0.0.1:3000")).toBe(200);
  expect(await ask("http://localhost:3000/mcp", "http://localhost:3000")).toBe(200);
});

test("what a refused client reads names this resource, and asks for no key", async () => {
  const response = await answerResourceMetadata(
    new Request("http://lathe.test/.well-known/oauth-protected-resource/mcp"),
  );
  expect([response.status, await response.json()]).toEqual([
    200,
    {
      resource: "http://lathe.test/mcp",
      resource_name: "Lathe agents",
      bearer_methods_supported: ["header"],
      resource_documentation: "http://lathe.test/v1/openapi.json",
    },
  ]);
});
