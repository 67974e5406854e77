import { randomBytes } from "node:crypto";
import {
  type ClientOptions,
  createClient,
  LatheApiError,
  LatheRunError,
  LatheStreamError,
  type LoggedEvent,
  verifyWebhook,
} from "@/lib/client/lathe-client";
import type { TestAccount } from "../support/accounts";
import { parseServed } from "../support/api-document";
import { type CuttingProxy, startCuttingProxy } from "../support/proxies";
import { expectWholeLog, lastMessageText } from "../support/run-log";
import { readWebhookSecret } from "../support/sessions";
import { test as base, expect } from "../support/test";

const ANSWER = "Grüße an 🌍 und 日本: an answer in many small pieces, of which each is an event of its own.";

/** The default client of an account behind a proxy that breaks its connections after so many bytes each. */
const test = base.extend<{
  behindCuts: (
    account: TestAccount,
    budgets: number[],
    options?: Partial<ClientOptions>,
  ) => Promise<{ client: ReturnType<typeof createClient>; proxy: CuttingProxy }>;
}>({
  behindCuts: async ({ serviceUrl }, use) => {
    const proxies: CuttingProxy[] = [];
    await use(async ({ apiKey }, budgets, options) => {
      const proxy = await startCuttingProxy(serviceUrl, budgets);
      proxies.push(proxy);
      return { client: createClient({ apiKey, baseUrl: proxy.url, ...options }), proxy };
    });
    for (const proxy of proxies) proxy.close();
  },
});

async function eventsOf(stream: AsyncIterable<LoggedEvent>): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test("from a sentence to a streamed run: the agent is made, listed, run, and its run is as the stream told it", async ({
  client,
  account,
  script,
}) => {
  const args = {
    name: "Greeter",
    description: "Greets.",
    skill_content: "# Greeter\n\nGreet.",
    config: { version: 1 },
    write_autonomy: "full_auto",
  };
  const build = await script({ tool_calls: [{ name: "$only", args, fill: true }] }, { text: "Ready." });
  const creation = await client.agents.create({ input: `An agent that greets. ${build.mark}` });
  const agentId = await client.agents.waitForAgent(creation.run_id, { timeoutMs: 30_000 });
  const agent = await client.get("/v1/agents/{agent_id}", { params: { path: { agent_id: agentId } } });
  expect(agent).toMatchObject({ name: "Greeter", status: "active" });
  const one = await script({ text: ANSWER });
  const stream = client.runs.stream({ agent_id: agentId, input: { text: one.mark } });
  const lines = await Promise.all((await eventsOf(stream)).map((event) => parseServed(account.api, "RunEvent", event)));
  expect(expectWholeLog(lines)).toMatchObject({ type: "run.completed", result: { text: ANSWER } });
  const run = await client.runs.wait(stream.runId ?? "");
  expect(run).toMatchObject({ status: "completed", agent_id: agentId, result: { text: ANSWER } });
  expect(await eventsOf(client.runs.events(run.run_id, { startingAfter: 2 }))).toEqual(lines.slice(3));
});

test("a stream whose connection breaks again and again is whole", async ({ account, behindCuts, script }) => {
  const text = ANSWER.repeat(5);
  const one = await script({ text, chunk_size: 3, chunk_delay_ms: 10 });
  // Headers take some hundred bytes, so that some of these end within them and some within a line.
  const { client, proxy } = await behindCuts(account, [1600, 200, 1500, 1801, 1902, 2503]);
  const stream = client.runs.stream({ input: { text: one.mark } });
  const lines = await Promise.all((await eventsOf(stream)).map((event) => parseServed(account.api, "RunEvent", event)));
  expect(proxy.connections()).toBeGreaterThan(6);
  expect(expectWholeLog(lines)).toMatchObject({ result: { text } });
  expect(lastMessageText(lines)).toBe(text);
  expect(await one.calls()).toHaveLength(1);
});

test("a start whose answer was lost is found again, not made twice", async ({ newAccount, behindCuts, script }) => {
  const account = await newAccount();
  const one = await script({ text: "once" });
  const { client, proxy } = await behindCuts(account, [10, 200]);
  const run = await client.runs.create({ input: { text: one.mark } });
  expect(await client.runs.wait(run.run_id)).toMatchObject({ status: "completed" });
  expect(proxy.connections()).toBeGreaterThan(2);
  const all: string[] = [];
  for await (const each of account.client.list("/v1/runs")) all.push(each.run_id);
  expect(all).toEqual([run.run_id]);
});

test("a webhook is verified with the account's secret, and a changed one is not", async ({ account, client, inbox, request, script }) => {
  const secret = await readWebhookSecret(request, account);
  const one = await script({ text: "news" });
  const run = await client.runs.create({ input: { text: one.mark }, webhook_url: inbox.url });
  const [call] = await inbox.waitFor(1);
  const { body: payload = "", headers = {} } = call ?? {};
  expect(await verifyWebhook({ payload, headers, secret })).toEqual({
    runId: run.run_id,
    status: "completed",
    threadId: run.conversation_id,
    conversationId: run.conversation_id,
    result: expect.objectContaining({ text: "news" }),
  });
  await expect(verifyWebhook({ payload: payload.replace("news", "lies"), headers, secret })).rejects.toMatchObject({
    fault: "bad_signature",
  });
});

test("all rows of a list come, page after page, while more are added", async ({ newAccount, script }) => {
  const { client } = await newAccount();
  const one = await script({ text: "ok" });
  const made: string[] = [];
  for (let count = 0; count < 7; count += 1) made.unshift((await client.runs.create({ input: { text: one.mark } })).run_id);
  const found: string[] = [];
  for await (const run of client.list("/v1/runs", { params: { query: { limit: 2 } } })) {
    found.push(run.run_id);
    if (found.length === 3) await client.runs.create({ input: { text: one.mark } });
  }
  expect(found).toEqual(made);
});

test("a file goes up as a form and comes down as the bytes that it is", async ({ client }) => {
  const { workspace_id } = await client.post("/v1/workspaces", { body: { name: "client" } });
  const bytes = new Uint8Array(randomBytes(300_000));
  const form = new FormData();
  form.set("file", new Blob([bytes]), "data.bin");
  const params = { path: { workspace_id } };
  const upload = { params, body: { file: "" }, bodySerializer: () => form };
  const file = await client.post("/v1/workspaces/{workspace_id}/files", upload);
  expect(file).toMatchObject({ path: "data.bin", size_bytes: bytes.length });
  const path = { workspace_id, file_id: file.file_id };
  const found = await client.api.GET("/v1/workspaces/{workspace_id}/files/{file_id}/content", { params: { path }, parseAs: "arrayBuffer" });
  expect(found.response.headers.get("etag")).toContain(file.sha256);
  expect(Buffer.from(found.data ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
  expect(await client.delete("/v1/workspaces/{workspace_id}/files/{file_id}", { params: { path } })).toBeUndefined();
});

test("a full budget is waited for as long as Retry-After says", async ({ newAccount, serviceUrl }) => {
  const { apiKey } = await newAccount({ readPerMinute: 5 });
  const statuses: number[] = [];
  const recording = async (request: Request) => {
    const response = await fetch(request);
    statuses.push(response.status);
    return response;
  };
  const client = createClient({ apiKey, baseUrl: serviceUrl, fetch: recording });
  const usages = await Promise.all(Array.from({ length: 8 }, () => client.get("/v1/account/usage")));
  expect(usages).toHaveLength(8);
  expect(statuses.filter((status) => status === 200)).toHaveLength(8);
  // A minute that turns in between may let more through at once; a second full one would need more than these.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
});

test("what fails says so by its own error: a refusal, a run, a stream that cannot be read on", async ({
  account,
  behindCuts,
  client,
  script,
}) => {
  await expect(client.runs.get("42")).rejects.toMatchObject({ status: 400, code: "INVALID_INPUT", details: [{ path: "run_id" }] });
  const refused = await client.runs.create({ input: {}, workspace_id: account.accountId }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LatheApiError);
  expect(refused).toMatchObject({ status: 404, code: "WORKSPACE_NOT_FOUND", requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  const bad = await script({ status: 400 });
  const creation = await client.agents.create({ input: bad.mark });
  await expect(client.agents.waitForAgent(creation.run_id)).rejects.toBeInstanceOf(LatheRunError);
  const one = await script({ text: ANSWER.repeat(5), chunk_size: 3 });
  const { client: cut } = await behindCuts(account, [1600, ...Array<number>(30).fill(10)], { maxReconnects: 2 });
  const reading = eventsOf(cut.runs.stream({ input: { text: one.mark } }));
  await expect(reading).rejects.toBeInstanceOf(LatheStreamError);
});

test("a signal ends a wait at once, and leaves the run to be cancelled", async ({ client, script }) => {
  const one = await script({ text: "x", hold_first: true });
  const run = await client.runs.create({ input: { text: one.mark } });
  const waiting = client.runs.wait(run.run_id, { signal: AbortSignal.timeout(300) });
  await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
  expect(await client.runs.cancel(run.run_id)).toMatchObject({ run_id: run.run_id });
  expect((await client.runs.wait(run.run_id)).status).toBe("cancelled");
});
