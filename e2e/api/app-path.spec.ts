import { admin } from "../support/admin";
import { ApiClient } from "../support/api-client";
import type { Agent } from "../support/api-document";
import { expectError, expectSameAnswer } from "../support/expect-answers";
import { toolResultOf } from "../support/model-script";
import { startRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";
import { until } from "../support/until";

/** An agent of `account` with a key of its own. */
const test = base.extend<{ app: { agent: Agent; api: ApiClient; path: string } }>({
  app: async ({ account, newAgent, serviceUrl }, use) => {
    const agent = await newAgent();
    const { api_key: key } = await admin([
      "key",
      "create",
      "--email",
      account.email,
      "--agent",
      agent.agent_id,
    ]);
    await use({
      agent,
      api: new ApiClient(serviceUrl, String(key)),
      path: `/api/v1/apps/${agent.agent_id}/runs`,
    });
  },
});

test("an app run is started, fetched and listed in camelCase, and its webhook is called", async ({
  app,
  api,
  script,
  inbox,
}) => {
  const one = await script({ text: "for the app" });
  const accepted = await app.api.post(app.path, {
    inputs: { text: one.mark },
    webhookUrl: inbox.url,
    metadata: { customer: "c_1" },
  });
  expect(accepted.status).toBe(202);
  const run = accepted.as("AppRun");
  expect(run).toMatchObject({
    appId: app.agent.agent_id,
    status: "pending",
    threadId: run.conversationId,
    result: null,
    error: null,
  });
  expect(accepted.header("location")).toBe(`${app.path}/${run.runId}`);
  expect(accepted.header("ratelimit")).toBeTruthy();
  expect(Object.keys(run).filter((name) => name.includes("_"))).toEqual([]);
  const done = await until("the run to be delivered", async () => {
    const fetched = (await app.api.get(`${app.path}/${run.runId}`)).as("AppRun");
    return fetched.webhookDeliveredAt !== null && fetched;
  });
  expect(done).toMatchObject({
    status: "completed",
    result: { text: "for the app", agentId: app.agent.agent_id, agentName: app.agent.name },
  });
  expect(done.usage.credits).toBeGreaterThan(0);
  // A list is read often, and carries no receipts.
  const { actions, actionsTruncated, ...listed } = done;
  expect([actions, actionsTruncated]).toEqual([[], false]);
  expect((await app.api.get(app.path)).as("AppRunPage")).toEqual({
    data: [listed],
    hasMore: false,
    nextCursor: null,
  });
  expect(JSON.parse((await inbox.waitFor(1))[0]?.body ?? "")).toMatchObject({
    runId: run.runId,
    status: "completed",
  });
  expect((await api.get(`/v1/runs/${run.runId}`)).as("Run")).toMatchObject({
    kind: "app",
    metadata: { customer: "c_1" },
  });
});

test("each key works on its own path only", async ({ app, api, anonymous, sharedAgent }) => {
  expectError(await api.get(app.path), 401, "AUTHENTICATION_REQUIRED");
  expectError(await api.post(app.path, { inputs: {} }), 401, "AUTHENTICATION_REQUIRED");
  expectError(await anonymous.get(app.path), 401, "AUTHENTICATION_REQUIRED");
  for (const path of ["/v1/runs", "/v1/agents", "/v1/account", `/v1/agents/${app.agent.agent_id}`])
    expectError(await app.api.get(path), 401, "AUTHENTICATION_REQUIRED");
  expectError(
    await app.api.post("/v1/runs", { agent_id: app.agent.agent_id, input: {} }),
    401,
    "AUTHENTICATION_REQUIRED",
  );
  expectError(
    await app.api.post("/v1/realtime/runs", { agent_id: app.agent.agent_id, input: {} }),
    401,
    "AUTHENTICATION_REQUIRED",
  );
  const other = (agent: string) => `/api/v1/apps/${agent}/runs`;
  expectSameAnswer(
    await app.api.get(other(sharedAgent.agent_id)),
    await app.api.get(other(UNKNOWN_ID)),
    404,
  );
  expectSameAnswer(
    await app.api.post(other(sharedAgent.agent_id), { inputs: {} }),
    await app.api.post(other(UNKNOWN_ID), { inputs: {} }),
    404,
  );
  expectError(await app.api.get(other(sharedAgent.agent_id)), 404, "APP_NOT_FOUND");
});

test("it shows app runs of its agent only", async ({ app, api, script }) => {
  const one = await script({ text: "x" });
  const run = await startRun(api, { agent_id: app.agent.agent_id, input: { text: one.mark } });
  expectSameAnswer(
    await app.api.get(`${app.path}/${run.run_id}`),
    await app.api.get(`${app.path}/${UNKNOWN_ID}`),
    404,
  );
  expect((await app.api.get(app.path)).as("AppRunPage").data).toEqual([]);
});

test("a conversation goes on on this path, but not one of another agent", async ({
  app,
  api,
  script,
  sharedAgent,
}) => {
  const one = await script({ text: "first" }, { text: "second" });
  const start = async (conversationId?: string) =>
    app.api.post(app.path, {
      inputs: { text: one.mark },
      ...(conversationId && { conversationId }),
    });
  const first = (await start()).as("AppRun");
  await until(
    "the first run",
    async () => (await app.api.get(`${app.path}/${first.runId}`)).as("AppRun").completedAt,
  );
  const second = await start(first.conversationId ?? "");
  expect(second.as("AppRun").conversationId).toBe(first.conversationId);
  const foreign = await startRun(api, {
    agent_id: sharedAgent.agent_id,
    input: { text: one.mark },
  });
  expectSameAnswer(await start(foreign.conversation_id ?? ""), await start(UNKNOWN_ID), 404);
  expectError(await start(UNKNOWN_ID), 404, "CONVERSATION_NOT_FOUND");
});

test("what a run cannot be is refused with its place in camelCase", async ({ app }) => {
  const fine = { inputs: { text: "x" } };
  const cases: [unknown, string][] = [
    [{}, "inputs"],
    [{ inputs: [] }, "inputs"],
    [{ inputs: { text: "é".repeat(131_072) } }, "inputs"],
    [{ ...fine, input: {} }, "input"],
    [{ ...fine, agent_id: UNKNOWN_ID }, "agent_id"],
    [{ ...fine, conversationId: "42" }, "conversationId"],
    [{ ...fine, webhookUrl: "http://127.0.0.1/hook" }, "webhookUrl"],
    [{ ...fine, webhookUrl: `https://example.com/${"x".repeat(2030)}` }, "webhookUrl"],
    [{ ...fine, shouldNotify: 1 }, "shouldNotify"],
    [{ ...fine, workspaceId: 1 }, "workspaceId"],
    [{ ...fine, model: "no/such" }, "model"],
    [{ ...fine, maxCredits: 0 }, "maxCredits"],
    [{ ...fine, metadata: { a: 1 } }, "metadata.a"],
  ];
  for (const [body, place] of cases)
    expectError(await app.api.post(app.path, body), 400, "INVALID_INPUT", place);
  expectError(await app.api.get(`/api/v1/apps/42/runs`), 400, "INVALID_INPUT", "appId");
  expectError(await app.api.get(`${app.path}/42`), 400, "INVALID_INPUT", "runId");
  for (const query of [
    { limit: "0" },
    { cursor: "x" },
    { status: "lost" },
    { createdAfter: "soon" },
  ])
    expectError(
      await app.api.get(app.path, { query }),
      400,
      "INVALID_INPUT",
      Object.keys(query)[0],
    );
  expectError(await app.api.get("/api/v1/apps"), 404, "NOT_FOUND");
  expectError(await app.api.get("/api/v1/elsewhere"), 404, "NOT_FOUND");
  expectError(await app.api.delete(app.path), 405, "METHOD_NOT_ALLOWED");
  expect((await app.api.get(app.path)).as("AppRunPage").data).toEqual([]);
});

test("inputs are checked against the agent's schema, under their own name", async ({
  account,
  newAgent,
  serviceUrl,
}) => {
  const agent = await newAgent({
    config: {
      inputs: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
    },
  });
  const { api_key: key } = await admin([
    "key",
    "create",
    "--email",
    account.email,
    "--agent",
    agent.agent_id,
  ]);
  const response = await new ApiClient(serviceUrl, String(key)).post(
    `/api/v1/apps/${agent.agent_id}/runs`,
    { inputs: {} },
  );
  expectError(response, 400, "INVALID_INPUT", "inputs.topic");
});

test("an Idempotency-Key starts one run and answers the same again", async ({ app, script }) => {
  const one = await script({ text: "x" });
  const send = (text: string) =>
    app.api.post(app.path, { inputs: { text } }, { headers: { "idempotency-key": "k-1" } });
  const first = await send(one.mark);
  const second = await send(one.mark);
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(second.text).toBe(first.text);
  expect(second.header("idempotency-replayed")).toBe("true");
  expect(second.header("location")).toBe(first.header("location"));
  expectError(await send("else"), 409, "IDEMPOTENCY_CONFLICT");
  expect((await app.api.get(app.path)).as("AppRunPage").data).toHaveLength(1);
});

test("a question of an app's run is answered on the app's own path", async ({
  account,
  newAgent,
  script,
  serviceUrl,
}) => {
  const agent = await newAgent({ config: { tools: { builtin: ["ask_user"] } } });
  const args = ["key", "create", "--email", account.email, "--agent", agent.agent_id];
  const { api_key: key } = await admin(args);
  const app = new ApiClient(serviceUrl, String(key));
  const path = `/api/v1/apps/${agent.agent_id}/runs`;
  const question = { question: "Which region?", options: ["North", "South"] };
  const one = await script(
    { tool_calls: [{ name: "ask_user", args: question }] },
    { text: "South it is." },
  );
  const { runId } = (await app.post(path, { inputs: { text: one.mark } })).as("AppRun");
  const asked = await until("the run to ask", async () => {
    const { requiresAction: action } = (await app.get(`${path}/${runId}`)).as("AppRun");
    return action?.type === "question" && action;
  });
  expect(asked).toMatchObject(question);
  expect((await app.post(`${path}/${runId}/messages`, { input: "South" })).status).toBe(202);
  const ended = await until("the run's end", async () => {
    const run = (await app.get(`${path}/${runId}`)).as("AppRun");
    return run.completedAt !== null && run;
  });
  expect(ended).toMatchObject({ status: "completed", result: { text: "South it is." } });
  expect(toolResultOf((await one.calls()).at(-1))).toBe('{"answer":"South"}');
});
