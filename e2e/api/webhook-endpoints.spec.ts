import { verifyEvent } from "@/lib/client/lathe-client";
import type { TestAccount } from "../support/accounts";
import type { ApiClient } from "../support/api-client";
import type { Schemas } from "../support/api-document";
import { expectError, expectSameAnswer } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_ID } from "../support/unknown-ids";
import { until } from "../support/until";

type Endpoint = Schemas["WebhookEndpointWithSecret"];
type Event = Schemas["AccountEvent"];

const ENDPOINTS = "/v1/webhook-endpoints";

/** An account of the test's own, whose feed holds nothing else. */
const test = base.extend<{
  own: TestAccount;
  listening: (events: string[]) => Promise<Endpoint>;
}>({
  own: async ({ newAccount }, use) => use(await newAccount({ credits: 1_000_000 })),
  listening: ({ own, inbox }, use) =>
    use(async (events) => {
      const made = await own.api.post(ENDPOINTS, { url: inbox.url, events });
      expect(made.status).toBe(201);
      return made.as("WebhookEndpointWithSecret");
    }),
});

async function eventsOf(api: ApiClient, query: Record<string, string> = {}): Promise<Event[]> {
  return (await api.get("/v1/events", { query })).as("AccountEventPage").data;
}

/** The feed's lines behind a number, without pings, until the iterator is let go of. */
async function follow(api: ApiClient, after: number): Promise<AsyncGenerator<string>> {
  const gone = new AbortController();
  const response = await api.open("GET", "/v1/events", {
    query: { starting_after: after },
    headers: { accept: "application/x-ndjson" },
    signal: gone.signal,
  });
  return (async function* () {
    let rest = "";
    try {
      const reader = response.body?.getReader();
      for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
        rest += new TextDecoder().decode(read.value);
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        yield* lines.filter((line) => !line.includes('"ping"'));
      }
    } finally {
      gone.abort();
    }
  })();
}

type Made = Pick<Parameters<Parameters<typeof test>[2]>[0], "own" | "script" | "newAgent">;

/** An agent that asks before it writes to `target`. */
async function newAskingAgent({ own, newAgent }: Omit<Made, "script">, target: string) {
  const http = [
    { name: "create_ticket", method: "POST", url: `${target}/x`, input_schema: { type: "object" } },
  ];
  const config = { tools: { http } };
  return newAgent({ autonomy: "approval_required", config }, own.api);
}

async function startAsking({ own, script }: Omit<Made, "newAgent">, agentId: string) {
  const one = await script(
    { tool_calls: [{ name: "create_ticket", args: { title: "Broken lamp" } }] },
    { text: "That is settled." },
  );
  return startRun(own.api, { agent_id: agentId, input: { text: one.mark } });
}

test("a waiting run tells its endpoint at once, signed, thin, by one id; then its end", async ({
  own,
  listening,
  inbox,
  script,
  newAgent,
}) => {
  const agent = await newAskingAgent({ own, newAgent }, inbox.url);
  const endpoint = await listening(["run.requires_action", "run.completed"]);
  const run = await startAsking({ own, script }, agent.agent_id);
  const [told] = await inbox.waitFor(1);
  const payload = JSON.parse(told?.body ?? "");
  expect(payload).toEqual({
    id: told?.headers["webhook-id"],
    type: "run.requires_action",
    created_at: expect.any(String),
    account_id: own.accountId,
    data: {
      run_id: run.run_id,
      kind: "agent",
      agent_id: agent.agent_id,
      conversation_id: run.conversation_id,
      status: "running",
      requires_action: { type: "approval", approval_id: expect.any(String) },
    },
  });
  expect(told?.body).not.toContain("Broken lamp");
  const call = { headers: told?.headers ?? {}, payload: told?.body ?? "" };
  expect(await verifyEvent({ ...call, secret: endpoint.secret })).toEqual(payload);
  // Never polled: what the webhook says is enough.
  const { approval_id } = payload.data.requires_action;
  await own.api.post(`/v1/approvals/${approval_id}/resolve`, { decision: "approve" });
  const calls = await inbox.waitFor(3);
  const types = calls
    .filter(({ path }) => !path.endsWith("/x"))
    .map(({ body }) => JSON.parse(body).type);
  expect(types).toEqual(["run.requires_action", "run.completed"]);
  const { data } = (
    await own.api.get("/v1/webhook-deliveries", { query: { endpoint_id: endpoint.endpoint_id } })
  ).as("WebhookDeliveryPage");
  expect(data.map(({ event_type, run_id }) => [event_type, run_id])).toEqual([
    ["run.completed", run.run_id],
    ["run.requires_action", run.run_id],
  ]);
});

test("the feed has all events in order, by type, in pages and as a resumable stream", async ({
  own,
  listening,
  inbox,
  script,
  newAgent,
}) => {
  await listening(["approval.requested"]);
  const agent = await newAskingAgent({ own, newAgent }, inbox.url);
  const before = await eventsOf(own.api);
  expect(new Set(before.map(({ type }) => type))).toEqual(
    new Set(["agent.version_created", "run.completed"]),
  );
  const last = before.length;
  const run = await startAsking({ own, script }, agent.agent_id);
  const asked = await until("the approval's event", async () =>
    (await eventsOf(own.api)).find(({ type }) => type === "approval.requested"),
  );
  expect((await inbox.waitFor(1)).map(({ headers }) => headers["webhook-id"])).toEqual([asked.id]);
  await own.api.post(`/v1/approvals/${asked.data.approval_id}/resolve`, { decision: "reject" });
  await waitForRun(own.api, run.run_id);
  const all = await eventsOf(own.api);
  expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, place) => place + 1));
  expect(all.slice(0, last)).toEqual(before);
  expect(all.slice(last).map(({ type }) => type)).toEqual([
    "run.requires_action",
    "approval.requested",
    "approval.resolved",
    "run.completed",
  ]);
  expect(await eventsOf(own.api, { starting_after: String(last + 1) })).toEqual(
    all.slice(last + 1),
  );
  expect(await eventsOf(own.api, { starting_after: "-1" })).toEqual(all);
  expect(await eventsOf(own.api, { types: "approval.resolved,run.failed" })).toEqual([
    all[last + 2],
  ]);
  const first = (await own.api.get("/v1/events", { query: { limit: 2 } })).as("AccountEventPage");
  expect(first).toMatchObject({ has_more: true, next_cursor: "2", data: all.slice(0, 2) });

  const lines = await follow(own.api, all.length - 1);
  expect(JSON.parse((await lines.next()).value ?? "")).toEqual(all.at(-1));
  const one = await script({ text: "x" });
  const next = await startRun(own.api, { input: { text: one.mark } });
  expect(JSON.parse((await lines.next()).value ?? "")).toMatchObject({
    sequence: all.length + 1,
    type: "run.completed",
    data: { run_id: next.run_id },
  });
  await lines.return(undefined);
});

test("a failed and a cancelled run are told to who listens for each, in no other account", async ({
  own,
  listening,
  inbox,
  script,
  stranger,
}) => {
  await listening(["*"]);
  await stranger.api.post(ENDPOINTS, { url: inbox.url, events: ["run.failed"] });
  const failing = await script({ status: 400, error_message: "no" });
  const held = await script({ text: "never", hold_first: true });
  const failed = await startRun(own.api, { input: { text: failing.mark } });
  const cancelled = await startRun(own.api, { input: { text: held.mark } });
  await own.api.post(`/v1/runs/${cancelled.run_id}/cancel`);
  const told = (await inbox.waitFor(2)).map(({ body }) => JSON.parse(body));
  expect(told).toHaveLength(2);
  expect(new Map(told.map(({ type, data }) => [type, data.run_id]))).toEqual(
    new Map([
      ["run.failed", failed.run_id],
      ["run.cancelled", cancelled.run_id],
    ]),
  );
});

test("an endpoint is tested, switched off, given an overlapping secret, and deleted", async ({
  own,
  listening,
  inbox,
}) => {
  const endpoint = await listening(["run.failed"]);
  const path = `${ENDPOINTS}/${endpoint.endpoint_id}`;
  expect(endpoint.secret).toMatch(/^whsec_/);
  const shown = (await own.api.get(path)).as("WebhookEndpoint");
  expect(shown).not.toHaveProperty("secret");
  expect({ ...shown, secret: endpoint.secret }).toEqual(endpoint);
  expect((await own.api.patch(path, { enabled: false, description: "off" })).json()).toMatchObject({
    enabled: false,
    description: "off",
  });
  const fresh = (await own.api.post(`${path}/rotate-secret`, { overlap_minutes: 60 })).as(
    "WebhookEndpointWithSecret",
  );
  expect(fresh.secret).not.toBe(endpoint.secret);
  // Without a body the secret before signs along for a day.
  const again = (await own.api.post(`${path}/rotate-secret`)).as("WebhookEndpointWithSecret");
  const tested = await own.api.post(`${path}/test`);
  expect(tested.status).toBe(202);
  expect(tested.as("WebhookDelivery")).toMatchObject({ run_id: null, event_type: "endpoint.test" });
  const [call] = await inbox.waitFor(1);
  for (const secret of [endpoint.secret, fresh.secret, again.secret])
    await verifyEvent({ headers: call?.headers ?? {}, payload: call?.body ?? "", secret });
  expect(await eventsOf(own.api)).toEqual([]);
  expect((await own.api.delete(path)).status).toBe(204);
  expectError(await own.api.get(path), 404, "ENDPOINT_NOT_FOUND");
  const redeliver = `/v1/webhook-deliveries/${tested.as("WebhookDelivery").delivery_id}/redeliver`;
  expectError(await own.api.post(redeliver), 404, "ENDPOINT_NOT_FOUND");
  expect((await own.api.get(ENDPOINTS)).json()).toMatchObject({ data: [] });
});

test("what an endpoint or feed cannot be is refused by place; another's like missing", async ({
  own,
  listening,
  inbox,
  stranger,
}) => {
  const { url } = inbox;
  for (const [body, place] of [
    [{ events: ["*"] }, "url"],
    [{ url, events: [] }, "events"],
    [{ url, events: ["run.exploded"] }, "events.0"],
    [{ url, events: ["*", "run.failed"] }, "events"],
    [{ url, events: ["run.failed", "run.failed"] }, "events"],
    [{ url: "http://10.0.0.1/x", events: ["*"] }, "url"],
    [{ url: "ftp://example.com", events: ["*"] }, "url"],
    [{ url, events: ["*"], description: "x".repeat(501) }, "description"],
    [{ url, events: ["*"], surprise: 1 }, "surprise"],
  ] as const)
    expectError(await own.api.post(ENDPOINTS, body), 400, "INVALID_INPUT", place);
  expect((await own.api.get(ENDPOINTS)).json()).toMatchObject({ data: [] });
  for (const query of [{ starting_after: "-2" }, { types: "run.exploded" }, { limit: "0" }])
    expectError(await own.api.get("/v1/events", { query }), 400, "INVALID_INPUT");
  const { endpoint_id: id } = await listening(["*"]);
  for (const bad of MALFORMED_IDS)
    expectError(await own.api.get(`${ENDPOINTS}/${bad}`), 400, "INVALID_INPUT");
  for (const [method, tail] of [
    ["GET", ""],
    ["PATCH", ""],
    ["DELETE", ""],
    ["POST", "/test"],
    ["POST", "/rotate-secret"],
  ] as const) {
    const json = { json: method === "PATCH" ? {} : undefined };
    expectSameAnswer(
      await stranger.api.request(method, `${ENDPOINTS}/${id}${tail}`, json),
      await stranger.api.request(method, `${ENDPOINTS}/${UNKNOWN_ID}${tail}`, json),
      404,
    );
  }
  for (let more = 0; more < 19; more++) await own.api.post(ENDPOINTS, { url, events: ["*"] });
  expectError(await own.api.post(ENDPOINTS, { url, events: ["*"] }), 409, "CONFLICT");
});
