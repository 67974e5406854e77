import { waitingCall } from "../support/agents";
import type { ApiClient } from "../support/api-client";
import { ApiDocument } from "../support/api-document";
import { test } from "../support/every-tool-service";
import { type ScriptTurn, toolResultOf } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { expect } from "../support/test";

// Every outcome of the builder, every way of an approval, and every code of a failed run, over HTTP
// on one service. What the document lists and has no case here fails by name.
test.describe.configure({ mode: "default" });

const DRAFT = {
  name: "Tides",
  description: "Reads tides.",
  skill_content: "# Tides\n\nRead them.",
  config: { version: 1 },
};
const finish = (outcome: string, more: Record<string, unknown> = {}) => ({
  name: "finish",
  args: { outcome, text: "So it is.", ...more },
});

/** By outcome: what the model does; `unchanged` is an edit's. */
const OUTCOMES: Record<string, ScriptTurn> = {
  built: {
    tool_calls: [
      { name: "create_agent", args: { ...DRAFT, write_autonomy: "blocked" } },
      finish("built"),
    ],
  },
  unchanged: { tool_calls: [finish("unchanged")] },
  question: { tool_calls: [finish("question", { question: "Which coast?" })] },
  refused: { tool_calls: [finish("refused")] },
};

/** Values of an enumeration of the served document. */
async function listed(api: ApiClient, schema: string, ...path: string[]): Promise<unknown[]> {
  const document = await ApiDocument.read(api);
  let at = document.resolve({ $ref: `#/components/schemas/${schema}` });
  for (const name of path) {
    const inner = at.properties?.[name] ?? {};
    const choice = (inner.anyOf ?? inner.oneOf)?.find(({ type }) => type !== "null");
    at = document.resolve(choice ?? inner);
  }
  expect(at.enum, `${schema}.${path.join(".")}`).toBeDefined();
  return (at.enum ?? []).filter((value) => value !== null);
}

test("each outcome of the builder has a case here, and comes about", async ({
  account: { api },
  newAgent,
  script,
}) => {
  expect(Object.keys(OUTCOMES).sort()).toEqual(
    (await listed(api, "BuildReport", "outcome")).sort(),
  );
  const agent = await newAgent({}, api);
  for (const [outcome, turn] of Object.entries(OUTCOMES))
    await test.step(outcome, async () => {
      const one = await script(turn);
      const path = outcome === "unchanged" ? `/v1/agents/${agent.agent_id}/edits` : "/v1/agents";
      // A Run or an EditRun.
      const { run_id } = (await api.post(path, { input: one.mark })).json() as { run_id: string };
      const run = await waitForRun(api, run_id);
      expect(run).toMatchObject({ status: "completed", result: { build: { outcome } } });
    });
});

test("each of the builder's tools does its work here, in a creation and in an edit", async ({
  account: { api },
  newAgent,
  world,
  script,
}) => {
  await api.post("/v1/workspaces", { name: "builds" });
  await newAgent(
    { config: { tools: { mcp: [{ name: "tickets", url: world.tickets.plainUrl }] } } },
    api,
  );
  const reading: ScriptTurn[] = [
    { tool_calls: [{ name: "read_guide", args: { topic: "skill_writing" } }] },
    { tool_calls: [{ name: "read_workspace", args: { name: "builds" } }] },
    {
      tool_calls: [
        { name: "read_connector", args: { url: new URL(world.tickets.plainUrl).origin } },
      ],
    },
  ];
  const trial = await script({ text: "As tried." });
  const trying: ScriptTurn = {
    tool_calls: [{ name: "try_agent", args: { input: { text: trial.mark } } }],
  };
  const creation = [
    ...reading,
    { tool_calls: [{ name: "create_agent", args: { ...DRAFT, write_autonomy: "blocked" } }] },
    trying,
  ];
  const built = await drive("/v1/agents", [...creation, { tool_calls: [finish("built")] }]);
  const editing = [
    { tool_calls: [{ name: "list_versions", args: {} }] },
    { tool_calls: [{ name: "restore_version", args: { number: 1 } }] },
    { tool_calls: [{ name: "edit_agent", args: { name: "Ebb", summary: "Renamed." } }] },
  ];
  await drive(`/v1/agents/${built.agent_id}/edits`, [
    ...reading,
    ...editing,
    trying,
    { tool_calls: [finish("built")] },
  ]);

  async function drive(path: string, turns: ScriptTurn[]) {
    const one = await script(...turns);
    // A Run or an EditRun.
    const { run_id } = (await api.post(path, { input: one.mark })).json() as { run_id: string };
    const run = await waitForRun(api, run_id);
    expect(run).toMatchObject({ status: "completed", result: { build: { outcome: "built" } } });
    const calls = await one.calls();
    const called = turns.flatMap(({ tool_calls = [] }) => tool_calls.map(({ name }) => name));
    expect(calls[0]?.body.tools?.map((tool) => tool.function.name).sort()).toEqual(
      [...new Set(called)].sort(),
    );
    const told = calls.slice(1).map(toolResultOf);
    expect(told).toHaveLength(turns.length - 1);
    for (const [index, words] of told.entries())
      expect(words, called[index]).not.toMatch(/^\{"error"/);
    expect(told.join()).toContain("As tried.");
    expect(told[2]).toContain("Says what it was sent.");
    return run;
  }
});

/**
 * By the status that the approval has in the end: what is done about it, and how many calls arrive
 * outside.
 */
const APPROVALS: Record<
  string,
  { decide: ((api: ApiClient, id: string) => Promise<unknown>) | null; arrives: number }
> = {
  approved: {
    decide: (api, id) => api.post(`/v1/approvals/${id}/resolve`, { decision: "approve" }),
    arrives: 1,
  },
  rejected: {
    decide: (api, id) => api.post(`/v1/approvals/${id}/resolve`, { decision: "reject" }),
    arrives: 0,
  },
  expired: { decide: null, arrives: 0 },
};

test("each end of an approval has a case here, and comes about", async ({
  account: { api },
  modelUrl,
  inbox,
}) => {
  const statuses = (await listed(api, "Approval", "status")).filter(
    (status) => status !== "pending",
  );
  expect(Object.keys(APPROVALS).sort()).toEqual(statuses.sort());
  for (const [status, { decide, arrives }] of Object.entries(APPROVALS))
    await test.step(status, async () => {
      const before = (await inbox.received()).length;
      const limits = { approval_timeout_seconds: decide ? 600 : 1 };
      const { runId, approval } = await waitingCall({ api, modelUrl, inbox, args: {}, limits });
      expect(approval.status).toBe("pending");
      await decide?.(api, approval.approval_id);
      expect((await waitForRun(api, runId)).status).toBe("completed");
      expect((await api.get(`/v1/approvals/${approval.approval_id}`)).as("Approval").status).toBe(
        status,
      );
      expect((await inbox.received()).length - before).toBe(arrives);
    });
});

for (const [autonomy, permissions, arrives] of [
  ["full_auto", {}, 1],
  ["approval_required", { deny: ["send"] }, 0],
  ["blocked", {}, 0],
] as const)
  test(
    `a call under ${autonomy}${"deny" in permissions ? " that a rule denies" : ""} asks nobody, ` +
      `and ${arrives ? "is made" : "is not made"}`,
    async ({ account: { api }, newAgent, inbox, script }) => {
      const http = [
        { name: "send", method: "POST", url: inbox.url, input_schema: { type: "object" } },
      ];
      const agent = await newAgent({ autonomy, config: { tools: { http }, permissions } }, api);
      const one = await script({ tool_calls: [{ name: "send", args: {} }] }, { text: "Done." });
      const run = await waitForRun(
        api,
        (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } })).run_id,
      );
      expect(run.status).toBe("completed");
      expect(
        (await api.get("/v1/approvals", { query: { run_id: run.run_id } })).as("ApprovalPage").data,
      ).toEqual([]);
      expect(await inbox.received()).toHaveLength(arrives);
    },
  );

interface FailureCase {
  turns: ScriptTurn[];
  config?: Record<string, unknown>;
  /** Of the run, beside its input. */
  body?: Record<string, unknown>;
  credits?: number;
}

const SPENDING = {
  text: "spending",
  tool_calls: [{ name: "todo", fill: true }],
  usage: { input: 25_000, output: 0 },
};
const CUT = { text: "and on ", finish_reason: "length" };

/**
 * By code: the agent and the model's answers that lead there. Three have steps of their own below.
 */
const FAILURES: Record<string, FailureCase | null> = {
  EXECUTION_FAILED: { turns: [{ status: 400, error_message: "no" }] },
  MODEL_UNAVAILABLE: { turns: [{ status: 503 }] },
  MODEL_RATE_LIMITED: { turns: [{ status: 429, retry_after: 1 }] },
  TIMEOUT: {
    turns: [{ text: "never", hold_first: true }],
    config: { limits: { timeout_seconds: 2 } },
  },
  STEP_LIMIT_EXCEEDED: {
    turns: [{ tool_calls: [{ name: "todo", fill: true }] }],
    config: { limits: { max_steps: 3 } },
  },
  BUDGET_EXCEEDED: {
    turns: [{ ...SPENDING, usage: { input: 3_000, output: 0 } }],
    body: { max_credits: 8 },
  },
  INSUFFICIENT_CREDITS: { turns: [SPENDING], credits: 60 },
  INVALID_AGENT_CONFIG: { turns: [{ text: "never" }], config: { model: "openai/gpt-5.1" } },
  MODEL_CANNOT_ANSWER: {
    turns: [{ text: "three" }, { text: "still three" }],
    config: {
      output_schema: {
        type: "object",
        properties: { count: { type: "integer" } },
        required: ["count"],
      },
    },
  },
  OUTPUT_TRUNCATED: { turns: [CUT, CUT, CUT] },
  CONTENT_FILTERED: { turns: [{ text: "No", finish_reason: "content_filter" }] },
  EMPTY_ANSWER: { turns: [{ text: "" }, { text: "" }] },
  APPROVAL_EXPIRED: null,
  // Only vendors have lists of models: vendor-models.spec.ts.
  MODEL_RETIRED: null,
  // A process dies of it: lib/engine/embedded/lost-runs.db.test.ts.
  ENGINE_LOST: null,
  AGENT_BUILD_FAILED: null,
  RUN_CANCELLED: null,
};

test("each code of a failed run has a case here", async ({ account: { api } }) => {
  expect(Object.keys(FAILURES).sort()).toEqual((await listed(api, "RunError", "code")).sort());
});

for (const [code, failure] of Object.entries(FAILURES))
  if (failure)
    test(`a run fails with ${code}, and its owner is told by mail`, async ({ world, script }) => {
      const owner = await world.newAccount({ credits: failure.credits ?? 10_000 });
      // Imported, as a creation would cost what the case has to spend.
      const raw = JSON.stringify({
        kind: "agent",
        format: 1,
        name: "Case",
        skill_content: "x",
        config: { version: 1, ...failure.config },
      });
      const imported = await owner.api.post("/v1/agents/import", undefined, {
        raw,
        headers: { "content-type": "application/yaml" },
      });
      const { agent_id } = imported.as("Agent");
      const one = await script(...failure.turns);
      const body = { agent_id, input: { text: one.mark }, should_notify: true, ...failure.body };
      const run = await waitForRun(owner.api, (await startRun(owner.api, body)).run_id);
      expect(run).toMatchObject({ status: "failed", error: { code } });
      await expect
        .poll(() => world.mail.mails.filter(({ to }) => to === owner.email))
        .toHaveLength(1);
      await one.release();
    });

test("a run that cannot go on without an approval fails with APPROVAL_EXPIRED", async ({
  account: { api },
  modelUrl,
  inbox,
}) => {
  const limits = { approval_timeout_seconds: 1, max_steps: 1 };
  const { runId } = await waitingCall({ api, modelUrl, inbox, args: {}, limits });
  expect(await waitForRun(api, runId)).toMatchObject({
    status: "failed",
    error: { code: "APPROVAL_EXPIRED" },
  });
});

test("a creation whose drafts are all refused fails with AGENT_BUILD_FAILED", async ({
  account: { api },
  script,
}) => {
  const one = await script({ tool_calls: [{ name: "create_agent", args: { name: "" } }] });
  const run = await waitForRun(
    api,
    (await api.post("/v1/agents", { input: one.mark })).as("Run").run_id,
  );
  expect(run).toMatchObject({ status: "failed", error: { code: "AGENT_BUILD_FAILED" } });
});

test("a cancelled run tells its webhook RUN_CANCELLED", async ({
  account: { api },
  inbox,
  script,
}) => {
  const one = await script({ text: "never", hold_first: true });
  const { run_id } = await startRun(api, { input: { text: one.mark }, webhook_url: inbox.url });
  await one.waitForCalls(1);
  await api.post(`/v1/runs/${run_id}/cancel`);
  const [call] = await inbox.waitFor(1);
  expect(JSON.parse(call?.body ?? "{}")).toMatchObject({
    runId: run_id,
    error: { code: "RUN_CANCELLED" },
  });
});
