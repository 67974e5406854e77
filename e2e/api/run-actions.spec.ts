import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Run } from "@/lib/client/schemas";
import { createAccount } from "../support/accounts";
import { admin } from "../support/admin";
import { createAgent } from "../support/agents";
import { ApiClient } from "../support/api-client";
import { ModelScript } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { freePort } from "../support/servers";
import { type Service, startService } from "../support/start-service";
import { test as base, expect } from "../support/test";
import { until } from "../support/until";
import { WebhookInbox } from "../support/webhook-inbox";

const test = base.extend<{ appKeyFor: (agentId: string) => Promise<ApiClient> }>({
  appKeyFor: ({ account, serviceUrl }, use) =>
    use(async (agentId) => {
      const made = await admin(["key", "create", "--email", account.email, "--agent", agentId]);
      return new ApiClient(serviceUrl, String(made.api_key));
    }),
});

/** Long enough for nobody to hear the answer. */
const HELD_MS = 120_000;

/** Tools that read and write at an inbox. */
function toolsOf(inbox: WebhookInbox) {
  const input_schema = { type: "object", properties: { id: { type: "string" } } };
  return {
    http: [
      { name: "read_ticket", method: "GET", url: `${inbox.url}/tickets/{id}`, input_schema },
      { name: "create_ticket", method: "POST", url: `${inbox.url}/tickets`, input_schema },
    ],
  };
}

const placeOf = (inbox: WebhookInbox, rest: string) => inbox.url.replace("http://", "") + rest;

async function fetchRun(api: ApiClient, runId: string): Promise<Run> {
  return (await api.get(`/v1/runs/${runId}`)).as("Run");
}

async function pendingOf(api: ApiClient, runId: string) {
  return until("an approval to be asked for", async () => {
    const page = (await api.get("/v1/approvals", { query: { status: "pending", limit: 100 } })).as(
      "ApprovalPage",
    );
    return page.data.find((row) => row.run_id === runId);
  });
}

test("an ended run says what it read, wrote and made, newest last, no word of a query", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ autonomy: "full_auto", config: { tools: toolsOf(inbox) } });
  await inbox.answerWith([{ status: 200 }, { status: 201 }, { status: 500 }, { status: 204 }]);
  const one = await script(
    { tool_calls: [{ name: "read_ticket", args: { id: "7" }, id: "call_read" }] },
    { tool_calls: [{ name: "create_ticket", args: { id: "8" }, id: "call_write" }] },
    { tool_calls: [{ name: "create_ticket", args: { id: "9" }, id: "call_fail" }] },
    {
      tool_calls: [
        {
          name: "artifacts",
          args: { title: "Report", name: "report.md", content: "# Report" },
          id: "call_make",
        },
      ],
    },
    { text: "I wrote to a hundred places and nothing failed." },
  );
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  await waitForRun(api, run_id);
  const run = await fetchRun(api, run_id);
  const none = { approval_id: null, artifact_ids: [], at: expect.any(String) };
  const artifacts = (run.result?.artifacts ?? []).map(({ id }) => id);
  expect(artifacts).toHaveLength(1);
  const tickets = placeOf(inbox, "/tickets");
  const wrote = { tool: "create_ticket", kind: "write", target: tickets, ...none };
  expect(run.actions).toEqual([
    {
      ...{ action_id: "call_read", tool: "read_ticket", kind: "read", target: `${tickets}/7` },
      ...{ status: "succeeded", ...none },
    },
    { action_id: "call_write", status: "succeeded", ...wrote },
    { action_id: "call_fail", status: "failed", ...wrote },
    {
      ...{ action_id: "call_make", tool: "artifacts", kind: "write", target: "Report" },
      ...{ status: "succeeded", ...none, artifact_ids: artifacts },
    },
  ]);
  expect(run.actions_truncated).toBe(false);
  const times = (run.actions ?? []).map(({ at }) => at);
  expect(times).toEqual([...times].sort());
});

test("a rejected call is refused, a blocked one too, an approved one names who", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  const asking = await newAgent({
    autonomy: "approval_required",
    config: { tools: toolsOf(inbox) },
  });
  const one = await script(
    { tool_calls: [{ name: "create_ticket", args: { id: "1" }, id: "call_no" }] },
    { tool_calls: [{ name: "create_ticket", args: { id: "2" }, id: "call_yes" }] },
    { text: "Settled." },
  );
  const { run_id } = await startRun(api, { agent_id: asking.agent_id, input: { text: one.mark } });
  const first = await pendingOf(api, run_id);
  await api.post(`/v1/approvals/${first.approval_id}/resolve`, { decision: "reject" });
  const second = await until("the second approval", async () => {
    const next = await pendingOf(api, run_id);
    return next.approval_id !== first.approval_id && next;
  });
  expect((await fetchRun(api, run_id)).actions).toBeUndefined();
  await api.post(`/v1/approvals/${second.approval_id}/resolve`, { decision: "approve" });
  await waitForRun(api, run_id);
  const target = placeOf(inbox, "/tickets");
  expect((await fetchRun(api, run_id)).actions).toMatchObject([
    {
      ...{ action_id: "call_no", kind: "write", target, status: "refused" },
      approval_id: first.approval_id,
    },
    {
      ...{ action_id: "call_yes", kind: "write", target, status: "succeeded" },
      approval_id: second.approval_id,
    },
  ]);

  const blocked = await newAgent({ autonomy: "blocked", config: { tools: toolsOf(inbox) } });
  const other = await script(
    { tool_calls: [{ name: "create_ticket", args: { id: "3" }, id: "call_blocked" }] },
    { text: "It is done." },
  );
  const two = await startRun(api, { agent_id: blocked.agent_id, input: { text: other.mark } });
  await waitForRun(api, two.run_id);
  expect((await fetchRun(api, two.run_id)).actions).toMatchObject([
    { action_id: "call_blocked", kind: "write", target, status: "refused", approval_id: null },
  ]);
  expect(await inbox.received()).toHaveLength(1);
});

test("a cancelled run does not know of an unanswered write; an awaited was refused", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  await inbox.answerWith([{ status: 204, delay_ms: HELD_MS }]);
  const tools = toolsOf(inbox);
  const agent = await newAgent({ autonomy: "full_auto", config: { tools } });
  const one = await script({
    tool_calls: [{ name: "create_ticket", args: { id: "1" }, id: "call_cut" }],
  });
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  await inbox.waitFor(1);
  await api.post(`/v1/runs/${run_id}/cancel`);
  const target = placeOf(inbox, "/tickets");
  const cut = { action_id: "call_cut", tool: "create_ticket", kind: "write", target };
  const run = await waitForRun(api, run_id);
  expect(run.status).toBe("cancelled");
  expect((await fetchRun(api, run_id)).actions).toMatchObject([{ ...cut, status: "unknown" }]);

  const asking = await newAgent({ autonomy: "approval_required", config: { tools } });
  const two = await script({
    tool_calls: [{ name: "create_ticket", args: { id: "2" }, id: "call_asked" }],
  });
  const other = await startRun(api, { agent_id: asking.agent_id, input: { text: two.mark } });
  const { approval_id } = await pendingOf(api, other.run_id);
  await api.post(`/v1/runs/${other.run_id}/cancel`);
  await waitForRun(api, other.run_id);
  expect((await fetchRun(api, other.run_id)).actions).toMatchObject([
    { action_id: "call_asked", target, status: "refused", approval_id },
  ]);
});

test("the app path has it in camelCase; lists and the webhook's body carry none of it", async ({
  api,
  appKeyFor,
  inbox,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ autonomy: "full_auto", config: { tools: toolsOf(inbox) } });
  const app = await appKeyFor(agent.agent_id);
  const hook = new WebhookInbox(new URL(inbox.url).origin);
  const one = await script(
    { tool_calls: [{ name: "create_ticket", args: { id: "1" }, id: "call_app" }] },
    { text: "Done." },
  );
  const root = `/api/v1/apps/${agent.agent_id}/runs`;
  const body = { inputs: { text: one.mark }, webhookUrl: hook.url };
  const { runId } = (await app.post(root, body)).as("AppRun");
  const run = await until("the app's run to end", async () => {
    const fetched = (await app.get(`${root}/${runId}`)).as("AppRun");
    return fetched.status === "completed" && fetched;
  });
  expect(run.actions).toEqual([
    {
      ...{ actionId: "call_app", tool: "create_ticket", kind: "write" },
      ...{ target: placeOf(inbox, "/tickets"), status: "succeeded" },
      ...{ approvalId: null, artifactIds: [], at: expect.any(String) },
    },
  ]);
  expect(run.actionsTruncated).toBe(false);
  expect((await app.get(root)).text).not.toContain("call_app");
  const [delivery] = await hook.waitFor(1);
  expect(Object.keys(JSON.parse(delivery?.body ?? "{}")).sort()).toEqual(
    ["conversationId", "result", "runId", "status", "threadId"].sort(),
  );
  expect((await api.get("/v1/runs", { query: { agent_id: agent.agent_id } })).text).not.toContain(
    "call_app",
  );
});

test("no secret of the account stands in what a call went to", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  const secret = "zebra-73-lantern-quorum";
  await api.post("/v1/secrets", {
    name: "TICKETS",
    value: secret,
    allowed_hosts: [new URL(inbox.url).hostname],
  });
  const agent = await newAgent({ autonomy: "full_auto", config: { tools: toolsOf(inbox) } });
  const one = await script(
    { tool_calls: [{ name: "read_ticket", args: { id: secret }, id: "call_leak" }] },
    { text: "Done." },
  );
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  await waitForRun(api, run_id);
  const { text } = await api.get(`/v1/runs/${run_id}`);
  expect(text).toContain("call_leak");
  expect(text).not.toContain(secret);
});

test.describe("a service of its own", () => {
  let folder: string;
  let service: Service | null = null;
  test.beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "lathe-actions-"));
  });
  test.afterEach(async () => {
    await service?.stop();
    service = null;
    await rm(folder, { recursive: true, force: true });
  });

  test("kill -9 between write and answer: by key it succeeded, else unknown", async () => {
    const modelUrl = process.env.E2E_MODEL_URL ?? "";
    const webhookUrl = process.env.E2E_WEBHOOK_URL ?? "";
    const dataDir = path.join(folder, "data");
    const port = await freePort();
    const environment = { EGRESS_ALLOW: new URL(webhookUrl).host };
    const start = () =>
      startService({ port, dataDir, modelUrl, environment, logFile: `${folder}/log` });
    service = await start();
    const { api } = await createAccount(service.baseUrl, { credits: 1_000 }, { DATA_DIR: dataDir });
    const inbox = new WebhookInbox(webhookUrl);
    const held = { status: 204, delay_ms: HELD_MS };
    // Of the first run: held, then answered. Of the second: held both times.
    await inbox.answerWith([held, { status: 204 }, held, held]);
    const agent = await createAgent(api, modelUrl, {
      autonomy: "full_auto",
      config: { tools: toolsOf(inbox) },
    });
    const call = (id: string) => ({
      tool_calls: [{ name: "create_ticket", args: { id }, id: `call_${id}` }],
    });
    const begin = async (id: string) => {
      const one = await ModelScript.register(modelUrl, [call(id), { text: "Done." }]);
      return startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
    };
    const first = await begin("again");
    await inbox.waitFor(1);
    await service.kill();
    service = await start();
    await waitForRun(api, first.run_id);
    expect((await fetchRun(api, first.run_id)).actions).toMatchObject([
      { action_id: "call_again", status: "succeeded" },
    ]);
    const second = await begin("cut");
    await inbox.waitFor(3);
    await service.kill();
    service = await start();
    await inbox.waitFor(4);
    await api.post(`/v1/runs/${second.run_id}/cancel`);
    await waitForRun(api, second.run_id);
    expect((await fetchRun(api, second.run_id)).actions).toMatchObject([
      {
        ...{ action_id: "call_cut", kind: "write", status: "unknown" },
        target: placeOf(inbox, "/tickets"),
      },
    ]);
    const calls = await inbox.received();
    expect(new Set(calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
  });
});
