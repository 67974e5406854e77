import type { ApiClient } from "../support/api-client";
import type { Approval } from "../support/api-document";
import { brokenBodies, expectError } from "../support/expect-answers";
import { toolResultOf } from "../support/model-script";
import { expectWholeLog, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_ID, UNKNOWN_IDS } from "../support/unknown-ids";
import { until } from "../support/until";

/**
 * Starts a run of an agent that asks before it writes to the inbox, and gives the approval that it
 * waits for.
 */
const test = base.extend<{
  waiting: (
    limits?: Record<string, number>,
  ) => Promise<{ run_id: string; approval: Approval; told: () => Promise<string> }>;
}>({
  waiting: ({ api, inbox, newAgent, script }, use) =>
    use(async (limits = {}) => {
      const http = [
        {
          name: "create_ticket",
          method: "POST",
          url: `${inbox.url}/tickets`,
          input_schema: { type: "object", properties: { title: { type: "string" } } },
        },
      ];
      const agent = await newAgent({
        autonomy: "approval_required",
        config: { tools: { http }, limits },
      });
      const one = await script(
        { tool_calls: [{ name: "create_ticket", args: { title: "Broken lamp" } }] },
        { text: "That is settled." },
      );
      const { run_id } = await startRun(api, {
        agent_id: agent.agent_id,
        input: { text: one.mark },
      });
      return {
        run_id,
        approval: await pendingOf(api, run_id),
        told: async () => toolResultOf((await one.calls()).at(-1)),
      };
    }),
});

function pendingOf(api: ApiClient, runId: string): Promise<Approval> {
  return until("an approval to be asked for", async () => {
    const page = (await api.get("/v1/approvals", { query: { status: "pending", limit: 100 } })).as(
      "ApprovalPage",
    );
    return page.data.find((row) => row.run_id === runId);
  });
}

const resolve = (api: ApiClient, id: string, json: Record<string, unknown>) =>
  api.post(`/v1/approvals/${id}/resolve`, json);

test("a guarded call waits for a person, as told, and is made once after the approval", async ({
  api,
  inbox,
  waiting,
}) => {
  const { run_id, approval } = await waiting();
  expect(approval).toMatchObject({
    run_id,
    tool_name: "create_ticket",
    arguments: { title: "Broken lamp" },
    status: "pending",
    decided_at: null,
  });
  expect(Date.parse(approval.expires_at) - Date.parse(approval.created_at)).toBe(86_400_000);
  expect((await api.get(`/v1/runs/${run_id}`)).as("Run")).toMatchObject({
    status: "running",
    requires_action: { type: "approval", approval_id: approval.approval_id },
  });
  expect((await api.get(`/v1/approvals/${approval.approval_id}`)).as("Approval")).toEqual(approval);
  expect(await inbox.received()).toEqual([]);
  const answer = await resolve(api, approval.approval_id, { decision: "approve" });
  expect(answer.status).toBe(200);
  expect(answer.as("Approval")).toMatchObject({
    status: "approved",
    decided_at: expect.any(String),
  });
  expect(await waitForRun(api, run_id)).toMatchObject({
    status: "completed",
    requires_action: null,
    result: { text: "That is settled." },
  });
  expect((await inbox.received()).map(({ body }) => body)).toEqual(['{"title":"Broken lamp"}']);
  expect(
    (await api.get("/v1/approvals", { query: { status: "pending", limit: 100 } })).text,
  ).not.toContain(approval.approval_id);
  expect(
    (await api.get("/v1/approvals", { query: { status: "approved", limit: 100 } })).text,
  ).toContain(approval.approval_id);
});

test("a rejected call is not made, and the model hears what the person said", async ({
  api,
  inbox,
  waiting,
}) => {
  const { run_id, approval, told } = await waiting();
  expect(
    (
      await resolve(api, approval.approval_id, { decision: "reject", message: "Kim does that." })
    ).as("Approval").status,
  ).toBe("rejected");
  expect((await waitForRun(api, run_id)).status).toBe("completed");
  expect(await told()).toContain("Kim does that.");
  expect(await inbox.received()).toEqual([]);
});

test("the stream shows the request and the decision in order, and never the arguments", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  const http = [
    {
      name: "create_ticket",
      method: "POST",
      url: `${inbox.url}/tickets`,
      input_schema: { type: "object" },
    },
  ];
  const agent = await newAgent({ autonomy: "approval_required", config: { tools: { http } } });
  const one = await script(
    { tool_calls: [{ name: "create_ticket", args: { title: "Broken lamp" } }] },
    { text: "Done." },
  );
  const stream = await RunStream.start(api, {
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  const reading = stream.readAll();
  const approval = await until("an approval", async () =>
    (await api.get("/v1/approvals", { query: { status: "pending", limit: 100 } }))
      .as("ApprovalPage")
      .data.find((row) => row.agent_id === agent.agent_id),
  );
  await resolve(api, approval.approval_id, { decision: "approve" });
  await reading;
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  const shown = stream.lines.filter(({ type }) => /^(approval|tool)\./.test(type));
  expect(shown).toMatchObject([
    {
      type: "approval.requested",
      approval_id: approval.approval_id,
      tool_name: "create_ticket",
      summary: expect.any(String),
    },
    {
      type: "approval.resolved",
      approval_id: approval.approval_id,
      tool_name: "create_ticket",
      decision: "approve",
    },
    { type: "tool.started", name: "create_ticket" },
    { type: "tool.completed", status: "succeeded" },
  ]);
  expect(JSON.stringify(stream.lines)).not.toContain("Broken lamp");
});

test("the same decision again is 200, the other one 409", async ({ api, waiting }) => {
  const { run_id, approval } = await waiting();
  const first = (
    await resolve(api, approval.approval_id, { decision: "reject", message: null })
  ).as("Approval");
  const again = await resolve(api, approval.approval_id, { decision: "reject" });
  expect([again.status, again.as("Approval")]).toEqual([200, first]);
  expectError(await resolve(api, approval.approval_id, { decision: "approve" }), 409, "CONFLICT");
  await waitForRun(api, run_id);
  expectError(await resolve(api, approval.approval_id, { decision: "approve" }), 409, "CONFLICT");
});

test("an approval nobody decides expires after the config's time, and the run goes on", async ({
  api,
  inbox,
  waiting,
}) => {
  const { run_id, approval } = await waiting({ approval_timeout_seconds: 1 });
  expect((await waitForRun(api, run_id)).status).toBe("completed");
  expect((await api.get(`/v1/approvals/${approval.approval_id}`)).as("Approval").status).toBe(
    "expired",
  );
  expectError(await resolve(api, approval.approval_id, { decision: "approve" }), 409, "CONFLICT");
  expect(await inbox.received()).toEqual([]);
});

test("a run that cannot go on without the call fails with APPROVAL_EXPIRED", async ({
  api,
  waiting,
}) => {
  const { run_id } = await waiting({ approval_timeout_seconds: 1, max_steps: 1 });
  expect(await waitForRun(api, run_id)).toMatchObject({
    status: "failed",
    error: { code: "APPROVAL_EXPIRED" },
  });
});

test("cancelling the run expires its approval, which then cannot be decided", async ({
  api,
  inbox,
  waiting,
}) => {
  const { run_id, approval } = await waiting();
  expect((await api.post(`/v1/runs/${run_id}/cancel`)).status).toBe(202);
  expect((await api.get(`/v1/approvals/${approval.approval_id}`)).as("Approval").status).toBe(
    "expired",
  );
  expectError(await resolve(api, approval.approval_id, { decision: "approve" }), 409, "CONFLICT");
  expect((await api.get(`/v1/runs/${run_id}`)).as("Run")).toMatchObject({
    status: "cancelled",
    requires_action: null,
  });
  expect(await inbox.received()).toEqual([]);
});

test("deciding is no hourly write", async ({ newAccount, newAgent, inbox, script }) => {
  const { api } = await newAccount({ writePerHour: 1, credits: 1_000 });
  const http = [
    {
      name: "create_ticket",
      method: "POST",
      url: `${inbox.url}/tickets`,
      input_schema: { type: "object" },
    },
  ];
  const agent = await newAgent({ autonomy: "approval_required", config: { tools: { http } } }, api);
  const one = await script(
    { tool_calls: [{ name: "create_ticket", args: {} }] },
    { text: "Done." },
  );
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  expect(
    (await resolve(api, (await pendingOf(api, run_id)).approval_id, { decision: "approve" }))
      .status,
  ).toBe(200);
  expect((await waitForRun(api, run_id)).status).toBe("completed");
});

for (const { name, options, status, code } of brokenBodies({ decision: "approve" }, "message")) {
  test(`POST /v1/approvals/{id}/resolve refuses ${name}`, async ({ api }) => {
    expectError(
      await api.post(`/v1/approvals/${UNKNOWN_ID}/resolve`, undefined, options),
      status,
      code,
    );
  });
}

test("a decision is approve or reject, with a message of 2,000 characters at most", async ({
  api,
  waiting,
}) => {
  const { run_id, approval } = await waiting();
  for (const decision of ["", "approved", "APPROVE", null, 1, undefined])
    expectError(
      await resolve(api, approval.approval_id, { decision }),
      400,
      "INVALID_INPUT",
      "decision",
    );
  expectError(
    await resolve(api, approval.approval_id, { decision: "reject", message: "x".repeat(2_001) }),
    400,
    "INVALID_INPUT",
    "message",
  );
  expect(
    (await resolve(api, approval.approval_id, { decision: "reject", message: "ü".repeat(2_000) }))
      .status,
  ).toBe(200);
  await waitForRun(api, run_id);
});

test("ids are 400 when malformed and 404 when unknown, and so are filters", async ({ api }) => {
  for (const id of MALFORMED_IDS) {
    expectError(await api.get(`/v1/approvals/${id}`), 400, "INVALID_INPUT", "approval_id");
    expectError(
      await resolve(api, id, { decision: "approve" }),
      400,
      "INVALID_INPUT",
      "approval_id",
    );
  }
  for (const id of UNKNOWN_IDS) {
    expectError(await api.get(`/v1/approvals/${id}`), 404, "APPROVAL_NOT_FOUND");
    expectError(await resolve(api, id, { decision: "approve" }), 404, "APPROVAL_NOT_FOUND");
  }
  for (const query of [{ status: "open" }, { limit: "0" }, { cursor: "nonsense" }, { run_id: "x" }])
    expectError(
      await api.get("/v1/approvals", { query }),
      400,
      "INVALID_INPUT",
      Object.keys(query)[0],
    );
});

test("another account's approval answers as a missing one does, and still waits", async ({
  api,
  stranger,
  waiting,
}) => {
  const { run_id, approval } = await waiting();
  const { approval_id } = approval;
  const read = await stranger.api.get(`/v1/approvals/${approval_id}`);
  expect([read.status, read.text]).toEqual([
    404,
    (await stranger.api.get(`/v1/approvals/${UNKNOWN_ID}`)).text,
  ]);
  const decide = await resolve(stranger.api, approval_id, { decision: "approve" });
  expect([decide.status, decide.text]).toEqual([
    404,
    (await resolve(stranger.api, UNKNOWN_ID, { decision: "approve" })).text,
  ]);
  expect((await stranger.api.get("/v1/approvals", { query: { limit: 100 } })).text).not.toContain(
    approval_id,
  );
  expect((await api.get(`/v1/approvals/${approval_id}`)).as("Approval").status).toBe("pending");
  await api.post(`/v1/runs/${run_id}/cancel`);
});
