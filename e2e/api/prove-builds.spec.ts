import { expectError } from "../support/expect-answers";
import { textOfMessages, toolResultOf } from "../support/model-script";
import { waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";
import { until } from "../support/until";

const orders = (url: string) => ({
  name: "get_order",
  method: "GET",
  url: `${url}/orders/{id}`,
  input_schema: { type: "object", properties: { id: { type: "integer" } } },
});
const draft = (url: string) => ({
  name: "create_agent",
  args: {
    name: "Orders",
    description: "Looks up orders.",
    skill_content: "# Orders\n\nLook the order up with get_order.",
    config: { version: 1, tools: { builtin: [], http: [orders(url)] } },
    write_autonomy: "full_auto",
  },
});
const finish = (more: object = {}) => ({
  name: "finish",
  args: { outcome: "built", text: "It looks up orders.", ...more },
});

test("a builder tries its draft, keeps cases with it, and a later edit tells them", async ({
  api,
  inbox,
  script,
}) => {
  const trial = await script(
    { tool_calls: [{ name: "get_order", args: { id: 7 } }] },
    { text: "Order 7 was sent." },
  );
  const measured = await script({ text: "Order 7 was sent." }, { text: "No idea." });
  const checks = [{ type: "contains", value: "sent" }];
  const cases = [{ name: "Sent", input: { request: measured.mark }, checks }];
  const build = await script(
    { tool_calls: [draft(inbox.url)] },
    {
      tool_calls: [
        {
          name: "try_agent",
          args: { input: { request: trial.mark }, answers: { get_order: { state: "sent" } } },
        },
      ],
    },
    { tool_calls: [finish({ cases })] },
  );
  const created = await api.post("/v1/agents", { input: `Look up orders. ${build.mark}` });
  const run = await waitForRun(api, String(Object(created.json()).run_id));
  expect(run).toMatchObject({ status: "completed", result: { build: { outcome: "built" } } });
  const tried = toolResultOf((await build.calls()).at(-1));
  for (const words of ['"outcome":"completed"', "Order 7 was sent.", '"by":"answers"'])
    expect(tried).toContain(words);
  expect(toolResultOf((await trial.calls()).at(-1))).toContain('"state":"sent"');
  expect(await inbox.received()).toEqual([]);
  // Nobody named the host: it asks.
  const agent = (await api.get(`/v1/agents/${run.agent_id}`)).as("Agent");
  expect(agent.config).toMatchObject({ permissions: { ask: ["get_order"] } });

  const path = `/v1/agents/${run.agent_id}/cases`;
  const kept = (await api.get(path)).as("AgentCasePage");
  expect(kept.data).toMatchObject([{ name: "Sent", source: "builder", checks }]);

  const change = await script(
    {
      tool_calls: [
        {
          name: "edit_agent",
          args: { skill_edits: [{ old: "Look the order up", new: "Guess" }], summary: "Guesses." },
        },
        finish(),
      ],
    },
    { tool_calls: [finish()] },
  );
  const edit = await api.post(`/v1/agents/${run.agent_id}/edits`, { input: change.mark });
  const edited = await waitForRun(api, String(Object(edit.json()).run_id));
  expect(toolResultOf((await change.calls()).at(-1))).toContain("Sent: contains");
  expect(edited.result).toMatchObject({
    text: expect.stringContaining("1 of 1 before, 0 of 1 now"),
    build: {
      cases: { before: { passed: 1, of: 1 }, after: { passed: 0, of: 1 }, failed: ["Sent"] },
    },
  });
  expect(await inbox.received()).toEqual([]);
});

test(
  "what the person's sentence names is really read in a try and asks nobody afterwards; a try " +
    "whose model fails is a result, and the draft survives; an edit reads the skill line by line",
  async ({ api, inbox, script }) => {
    await inbox.answerWith([{ status: 200, body: "sent on Monday" }]);
    const failing = await script({ status: 403, error_message: "Not today." });
    const trial = await script(
      { tool_calls: [{ name: "get_order", args: { id: 7 } }] },
      { text: "Order 7 was sent on Monday." },
    );
    const trying = (mark: string) => ({
      tool_calls: [{ name: "try_agent", args: { input: { request: mark } } }],
    });
    const build = await script(
      { tool_calls: [draft(inbox.url)] },
      trying(failing.mark),
      trying(trial.mark),
      { tool_calls: [finish()] },
    );
    const input = `Look up orders at ${inbox.url}/orders/ID, and ask nobody. ${build.mark}`;
    const created = await api.post("/v1/agents", { input });
    const run = await waitForRun(api, String(Object(created.json()).run_id));
    expect(run).toMatchObject({ status: "completed", result: { build: { outcome: "built" } } });
    const [, , failed, tried] = await build.calls();
    expect(toolResultOf(failed)).toContain('"outcome":"failed"');
    expect(toolResultOf(failed)).toContain("Not today.");
    expect(toolResultOf(tried)).toContain("sent on Monday");
    expect((await inbox.received()).map(({ method, path }) => [method, path])).toEqual([
      ["GET", expect.stringMatching(/\/orders\/7$/)],
    ]);
    const agent = (await api.get(`/v1/agents/${run.agent_id}`)).as("Agent");
    expect(agent.write_autonomy).toBe("full_auto");
    expect(agent.config).not.toHaveProperty("permissions");

    const use = await script(
      { tool_calls: [{ name: "get_order", args: { id: 8 } }] },
      { text: "Sent." },
    );
    const body = { agent_id: run.agent_id, input: { request: use.mark } };
    const used = await waitForRun(api, (await api.post("/v1/runs", body)).as("Run").run_id);
    expect(used).toMatchObject({ status: "completed", requires_action: null });
    expect(await inbox.received()).toHaveLength(2);

    const change = await script({ tool_calls: [finish({ outcome: "unchanged" })] });
    const edit = await api.post(`/v1/agents/${run.agent_id}/edits`, { input: change.mark });
    await waitForRun(api, String(Object(edit.json()).run_id));
    expect(textOfMessages((await change.calls())[0])).toMatch(
      /<skill>\n[^\n]*\n1\t# Orders\n2\t\n3\tLook the order up with get_order\.\n<\/skill>/,
    );
  },
);

test("cases are added, replaced by name, listed and deleted; what is none is refused", async ({
  api,
  newAgent,
}) => {
  const { agent_id } = await newAgent({});
  const path = `/v1/agents/${agent_id}/cases`;
  const body = { name: "One", input: {}, checks: [{ type: "contains", value: "x" }] };
  const added = await api.post(path, body);
  expect(added.status).toBe(201);
  await api.post(path, { ...body, checks: [{ type: "not_contains", value: "y" }] });
  const { data } = (await api.get(path)).as("AgentCasePage");
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({ source: "person", checks: [{ type: "not_contains" }] });
  for (const checks of [[], [{ type: "sounds_nice" }], [{ type: "matches", pattern: "(" }]])
    expectError(await api.post(path, { ...body, checks }), 400, "INVALID_INPUT");
  const id = data[0]?.case_id;
  expect((await api.delete(`${path}/${id}`)).status).toBe(204);
  expectError(await api.delete(`${path}/${id}`), 404, "CASE_NOT_FOUND");
  expectError(await api.get(`/v1/agents/${UNKNOWN_ID}/cases`), 404, "AGENT_NOT_FOUND");
});

test("a definition that is remembered asks no more, until that is taken away", async ({
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
  const start = async (title: string) => {
    const one = await script(
      { tool_calls: [{ name: "create_ticket", args: { title } }] },
      { text: "Done." },
    );
    const body = { agent_id: agent.agent_id, input: { text: one.mark } };
    return (await api.post("/v1/runs", body)).as("Run").run_id;
  };
  const asked = (runId: string) =>
    until("an approval", async () => {
      const page = (await api.get(`/v1/approvals?run_id=${runId}&status=pending`)).as(
        "ApprovalPage",
      );
      return page.data[0];
    });
  const first = await start("One");
  const approval = await asked(first);
  expect(approval.can_remember).toBe(true);
  const decision = { decision: "approve", remember: true };
  expect((await api.post(`/v1/approvals/${approval.approval_id}/resolve`, decision)).status).toBe(
    200,
  );
  await waitForRun(api, first);
  expect(await waitForRun(api, await start("Two"))).toMatchObject({ status: "completed" });
  expect(await inbox.received()).toHaveLength(2);
  const path = `/v1/agents/${agent.agent_id}/remembered-approvals`;
  const { data } = (await api.get(path)).as("RememberedApprovalPage");
  expect(data).toMatchObject([{ tool_name: "create_ticket", approval_id: approval.approval_id }]);
  expect((await api.delete(`${path}/${data[0]?.remembered_id}`)).status).toBe(204);
  const third = await start("Three");
  await asked(third);
  await api.post(`/v1/runs/${third}/cancel`);
});
