import type { Run } from "@/lib/client/schemas";
import type { TestAccount } from "../support/accounts";
import { parseServed } from "../support/api-document";
import { expectError, expectSameAnswer } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";
import { until } from "../support/until";

const RUNS = "/v1/super-agent/runs";
const EMPTY = {
  name: null,
  tagline: null,
  description: null,
  audience: null,
  tone: null,
  instructions: null,
  brand: { colors: [], logo_url: null },
  links: [],
};

/** An account on the allowlist. */
const test = base.extend<{ listed: TestAccount }>({
  listed: async ({ newAccount }, use) =>
    use(await newAccount({ superAgent: true, credits: 100_000 })),
});

async function ended({ api, client }: TestAccount, runId: string): Promise<Run> {
  return parseServed(
    api,
    "Run",
    await client.superAgentRuns.wait(runId, { timeoutMs: 15_000, pollMs: 40 }),
  );
}

test("without the allowlist every route is 403, before the body is looked at", async ({ api }) => {
  const raw = { raw: "{", headers: { "content-type": "application/json" } };
  for (const [method, path] of [
    ["GET", "/v1/product-profile"],
    ["PUT", "/v1/product-profile"],
    ["POST", RUNS],
    ["POST", "/v1/super-agent/realtime/runs"],
    ["GET", RUNS],
    ["GET", `${RUNS}/${UNKNOWN_ID}`],
    ["GET", `${RUNS}/not-a-uuid`],
    ["GET", `${RUNS}/${UNKNOWN_ID}/events`],
    ["POST", `${RUNS}/${UNKNOWN_ID}/cancel`],
  ] as const)
    expectError(
      await api.request(method, path, method === "GET" ? {} : raw),
      403,
      "SUPER_AGENT_ACCESS_DENIED",
    );
});

test("the profile is all null before the first PUT, and a PUT replaces the whole", async ({
  listed: { api },
}) => {
  expect((await api.get("/v1/product-profile")).json()).toEqual(EMPTY);
  const whole = {
    name: "Acme Notes",
    tagline: "Notes that write themselves",
    description: "Ünïcode – ✓",
    audience: "teams",
    tone: "dry",
    instructions: "Never say synergy.",
    brand: { colors: ["#112233", "teal"], logo_url: "https://example.com/logo.png" },
    links: ["https://example.com/docs", { title: "Blog", url: "https://example.com/blog" }],
  };
  const put = await api.put("/v1/product-profile", whole);
  expect({ status: put.status, body: put.json() }).toEqual({ status: 200, body: whole });
  expect((await api.get("/v1/product-profile")).json()).toEqual(whole);
  expect(
    (await api.put("/v1/product-profile", { name: "Only", brand: { logo_url: null } })).json(),
  ).toEqual({ ...EMPTY, name: "Only" });
  expect((await api.get("/v1/product-profile")).json()).toEqual({ ...EMPTY, name: "Only" });
});

test("what a profile cannot be is refused with its place, and the cap changes nothing", async ({
  newAccount,
}) => {
  const { api } = await newAccount({ superAgent: true, writePerHour: 1 });
  const cases: [unknown, string][] = [
    [{ name: "x".repeat(256) }, "name"],
    [{ name: 1 }, "name"],
    [{ surprise: 1 }, "surprise"],
    [{ brand: { surprise: 1 } }, "brand.surprise"],
    [{ brand: { colors: "red" } }, "brand.colors"],
    [{ brand: { logo_url: "javascript:alert(1)" } }, "brand.logo_url"],
    [{ links: ["ftp://example.com"] }, "links.0"],
    [{ links: {} }, "links"],
  ];
  for (const [body, place] of cases)
    expectError(await api.put("/v1/product-profile", body), 400, "INVALID_INPUT", place);
  expectError(await api.put("/v1/product-profile", []), 400, "INVALID_INPUT");
  expect((await api.put("/v1/product-profile", { name: "x".repeat(255) })).status).toBe(200);
  expectError(await api.put("/v1/product-profile", { name: "y" }), 429, "RATE_LIMITED");
  expect((await api.get("/v1/product-profile")).json()).toEqual({
    ...EMPTY,
    name: "x".repeat(255),
  });
});

test("it knows the profile, lists and runs an agent with its tools, and answers", async ({
  listed,
  script,
  newAgent,
}) => {
  const { api } = listed;
  await api.put("/v1/product-profile", { name: "Acme Notes" });
  const agent = await newAgent({ name: "Reporter" }, api);
  const child = await script({ text: "the report" });
  const one = await script(
    { tool_calls: [{ name: "list_agents", args: {} }] },
    {
      tool_calls: [
        { name: "run_agent", args: { agent_id: agent.agent_id, input: { text: child.mark } } },
      ],
    },
    { text: "It says: the report." },
  );
  const accepted = await api.post(RUNS, { input: { text: one.mark }, metadata: { a: "b" } });
  expect(accepted.status).toBe(202);
  const run = accepted.as("Run");
  expect(run).toMatchObject({
    kind: "super_agent",
    status: "pending",
    agent_id: null,
    metadata: { a: "b" },
  });
  expect(accepted.header("location")).toBe(`${RUNS}/${run.run_id}`);
  expect(await ended(listed, run.run_id)).toMatchObject({
    error: null,
    status: "completed",
    result: { text: "It says: the report." },
  });
  const calls = await one.calls();
  expect(JSON.stringify(calls[0]?.body.messages[0])).toContain("Acme Notes");
  expect(JSON.stringify(calls[1]?.body.messages)).toContain(agent.agent_id);
  expect(JSON.stringify(calls[2]?.body.messages)).toContain("the report");
  const children = (await api.get("/v1/runs", { query: { agent_id: agent.agent_id } })).as(
    "RunPage",
  ).data;
  expect(children.filter((row) => row.kind === "agent")).toMatchObject([
    { status: "completed", result: { text: "the report" } },
  ]);
});

test("its tools create an agent", async ({ listed, script }) => {
  const built = {
    name: "Fresh",
    description: "x",
    skill_content: "Work.",
    config: { version: 1 },
    write_autonomy: "full_auto",
  };
  const child = await script({ tool_calls: [{ name: "create_agent", args: built }] });
  const one = await script(
    { tool_calls: [{ name: "create_agent", args: { request: `Make Fresh. ${child.mark}` } }] },
    { text: "made" },
  );
  const { run_id } = (await listed.api.post(RUNS, { input: { text: one.mark } })).as("Run");
  expect(await ended(listed, run_id)).toMatchObject({
    status: "completed",
    result: { text: "made" },
  });
  const agents = (await listed.api.get("/v1/agents")).as("AgentMetadataPage").data;
  expect(agents).toMatchObject([{ name: "Fresh" }]);
});

test("it streams, and its events can be read again", async ({ listed: { api }, script }) => {
  const one = await script({ text: "streamed" });
  const response = await api.open("POST", "/v1/super-agent/realtime/runs", {
    json: { input: { text: one.mark } },
  });
  expect(response.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
  const text = await response.text();
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; run_id: string });
  expect(lines[0]).toMatchObject({ type: "run.created", render_protocol: 1, agent_id: null });
  expect(lines.at(-1)).toMatchObject({ type: "run.completed", result: { text: "streamed" } });
  expect(
    (await api.get(`${RUNS}/${lines[0]?.run_id}/events`)).text.trim().split("\n"),
  ).toHaveLength(lines.length);
});

test("agent routes never show its rows, its own no others, and conversations do not mix", async ({
  listed,
  script,
}) => {
  const { api } = listed;
  const one = await script({ text: "x" });
  const mine = (await api.post(RUNS, { input: { text: one.mark } })).as("Run");
  const agents = await startRun(api, { input: { text: one.mark } });
  await ended(listed, mine.run_id);
  await waitForRun(api, agents.run_id);
  for (const path of [(id: string) => `/v1/runs/${id}`, (id: string) => `/v1/runs/${id}/events`])
    expectSameAnswer(await api.get(path(mine.run_id)), await api.get(path(UNKNOWN_ID)), 404);
  expectSameAnswer(
    await api.post(`/v1/runs/${mine.run_id}/cancel`),
    await api.post(`/v1/runs/${UNKNOWN_ID}/cancel`),
    404,
  );
  expectSameAnswer(
    await api.get(`${RUNS}/${agents.run_id}`),
    await api.get(`${RUNS}/${UNKNOWN_ID}`),
    404,
  );
  expectSameAnswer(
    await api.post(`${RUNS}/${agents.run_id}/cancel`),
    await api.post(`${RUNS}/${UNKNOWN_ID}/cancel`),
    404,
  );
  const ids = async (path: string) =>
    (await api.get(path)).as("RunPage").data.map((run) => run.run_id);
  expect(await ids("/v1/runs")).toEqual([agents.run_id]);
  expect(await ids(RUNS)).toEqual([mine.run_id]);
  expectError(
    await api.post(RUNS, { input: {}, conversation_id: agents.conversation_id }),
    404,
    "CONVERSATION_NOT_FOUND",
  );
  expectError(
    await api.post("/v1/runs", { input: {}, conversation_id: mine.conversation_id }),
    404,
    "CONVERSATION_NOT_FOUND",
  );
  const next = await api.post(RUNS, {
    input: { text: one.mark },
    conversation_id: mine.conversation_id,
  });
  expect(next.as("Run").conversation_id).toBe(mine.conversation_id);
});

test("it is cancelled with the run that it waits for", async ({ listed, script, newAgent }) => {
  const { api } = listed;
  const agent = await newAgent({}, api);
  const child = await script({ text: "never", hold_first: true });
  const one = await script({
    tool_calls: [
      { name: "run_agent", args: { agent_id: agent.agent_id, input: { text: child.mark } } },
    ],
  });
  const { run_id } = (await api.post(RUNS, { input: { text: one.mark } })).as("Run");
  await child.waitForCalls(1);
  const cancelled = await api.post(`${RUNS}/${run_id}/cancel`);
  expect([cancelled.status, cancelled.as("Run").status]).toEqual([202, "cancelled"]);
  expect((await api.post(`${RUNS}/${run_id}/cancel`)).status).toBe(200);
  await until("the child to be cancelled", async () => {
    const { data } = (
      await api.get("/v1/runs", { query: { agent_id: agent.agent_id, status: "cancelled" } })
    ).as("RunPage");
    return data.length === 1;
  });
});

test("what a run cannot be is refused with its place; the key replays", async ({
  listed: { api },
  script,
}) => {
  const cases: [unknown, string][] = [
    [{}, "input"],
    [{ input: "text" }, "input"],
    [{ input: {}, agent_id: UNKNOWN_ID }, "agent_id"],
    [{ input: {}, webhook_url: "http://localhost/x" }, "webhook_url"],
    [{ input: {}, model: "no/such" }, "model"],
    [{ input: {}, max_credits: -1 }, "max_credits"],
  ];
  for (const [body, place] of cases)
    expectError(await api.post(RUNS, body), 400, "INVALID_INPUT", place);
  expectError(
    await api.post("/v1/super-agent/realtime/runs", {
      input: {},
      webhook_url: "https://example.com",
    }),
    400,
    "INVALID_INPUT",
    "webhook_url",
  );
  expectError(await api.get(RUNS, { query: { status: "lost" } }), 400, "INVALID_INPUT", "status");
  expectError(await api.get(`${RUNS}/42`), 400, "INVALID_INPUT", "run_id");
  const one = await script({ text: "x" });
  const send = () =>
    api.post(RUNS, { input: { text: one.mark } }, { headers: { "idempotency-key": "s-1" } });
  const [first, second] = [await send(), await send()];
  expect(second.text).toBe(first.text);
  expect(second.header("idempotency-replayed")).toBe("true");
});
