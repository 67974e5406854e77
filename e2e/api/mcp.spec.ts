import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createAccount } from "../support/accounts";
import { admin } from "../support/admin";
import { createAgent } from "../support/agents";
import { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { test as base, expect } from "../support/test";
import { until } from "../support/until";

const test = base.extend<{ connect: (key: string | null) => Promise<Client> }>({
  connect: async ({ serviceUrl }, use) => {
    const clients: Client[] = [];
    await use(async (key) => {
      const client = new Client({ name: "e2e", version: "1.0.0" });
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${serviceUrl}/mcp`), { requestInit }),
      );
      clients.push(client);
      return client;
    });
    await Promise.all(clients.map((client) => client.close()));
  },
});

test("the official client lists an account's agents as tools and calls one over HTTP", async ({
  serviceUrl,
  modelUrl,
  connect,
  script,
}) => {
  const { api } = await createAccount(serviceUrl, { credits: 10_000 });
  const agent = await createAgent(api, modelUrl, { name: "Sales reader" });
  const client = await connect(api.key);
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([{ title: "Sales reader", inputSchema: { type: "object" } }]);
  const one = await script({ text: "March." });
  const result = await client.callTool({
    name: tools[0]?.name ?? "",
    arguments: { request: one.mark },
  });
  expect(result).toMatchObject({
    content: [{ type: "text", text: "March." }],
    structuredContent: { text: "March." },
  });
  const { data } = (await api.get("/v1/runs", { query: { agent_id: agent.agent_id } })).as(
    "RunPage",
  );
  // The other one is the run that created it.
  expect(data.map(({ status, kind }) => [status, kind])).toEqual([
    ["completed", "agent"],
    ["completed", "agent_creation"],
  ]);
});

test("the official client of 2026-07-28 lists and calls one over HTTP, one request each", async ({
  serviceUrl,
  modelUrl,
  script,
}) => {
  const { api } = await createAccount(serviceUrl, { credits: 10_000 });
  await createAgent(api, modelUrl, { name: "Sales reader" });
  const sent: string[] = [];
  const client = new NewClient(
    { name: "e2e", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  const transport = new NewTransport(new URL(`${serviceUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${api.key}` } },
    fetch: (url, init) => {
      sent.push(new Headers(init?.headers).get("mcp-method") ?? "none");
      return fetch(url, init);
    },
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([{ title: "Sales reader", inputSchema: { type: "object" } }]);
  const one = await script({ text: "March." });
  const name = tools[0]?.name ?? "";
  expect(await client.callTool({ name, arguments: { request: one.mark } })).toMatchObject({
    content: [{ type: "text", text: "March." }],
    structuredContent: { text: "March." },
  });
  expect(sent).toEqual(["server/discover", "tools/list", "tools/call"]);
  await client.close();
});

test("a refused client is led to metadata that need no key", async ({ anonymous, serviceUrl }) => {
  const refused = await fetch(`${serviceUrl}/mcp`, { method: "POST" });
  const led = /^Bearer resource_metadata="([^"]+)"$/.exec(
    refused.headers.get("www-authenticate") ?? "",
  );
  const { pathname } = new URL(led?.[1] ?? "");
  expect(pathname).toBe("/.well-known/oauth-protected-resource/mcp");
  const metadata = await anonymous.get(pathname);
  expect(metadata.status).toBe(200);
  expect(metadata.json()).toMatchObject({ bearer_methods_supported: ["header"] });
  // The suite's service has no public https address that others could read it at.
  expect((await anonymous.get("/client-metadata.json")).status).toBe(404);
});

test("a cancelled call ends its run within the time of a cancel", async ({
  serviceUrl,
  modelUrl,
  connect,
  script,
}) => {
  const { api } = await createAccount(serviceUrl, { credits: 10_000 });
  const agent = await createAgent(api, modelUrl);
  const client = await connect(api.key);
  const one = await script({ text: "never said", hold_first: true });
  const abort = new AbortController();
  const name = (await client.listTools()).tools[0]?.name ?? "";
  const call = client.callTool({ name, arguments: { request: one.mark } }, undefined, {
    signal: abort.signal,
  });
  const failure = call.then(
    () => null,
    (error: unknown) => error,
  );
  await one.waitForCalls(1);
  abort.abort();
  expect(await failure).toBeTruthy();
  await until("the run to be cancelled", async () => {
    const { data } = (await api.get("/v1/runs", { query: { agent_id: agent.agent_id } })).as(
      "RunPage",
    );
    return data[0]?.status === "cancelled";
  });
  await one.waitForDisconnect();
});

test("an app key sees the agent that it is for", async ({ account, connect, newAgent }) => {
  const agent = await newAgent({ name: "The app" });
  const { api_key: key } = await admin([
    "key",
    "create",
    "--email",
    account.email,
    "--agent",
    agent.agent_id,
  ]);
  expect((await (await connect(String(key))).listTools()).tools.map(({ title }) => title)).toEqual([
    "The app",
  ]);
});

test("without a key /mcp answers 401, to another method 405, and to a path below it 404", async ({
  anonymous,
  account,
  serviceUrl,
}) => {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  expectError(await anonymous.post("/mcp", body), 401, "AUTHENTICATION_REQUIRED");
  expectError(
    await new ApiClient(serviceUrl, "svc_sk_nobodys").post("/mcp", body),
    401,
    "AUTHENTICATION_REQUIRED",
  );
  expectError(await account.api.get("/mcp"), 405, "METHOD_NOT_ALLOWED");
  expect((await account.api.post("/mcp/other", body)).status).toBe(404);
});
