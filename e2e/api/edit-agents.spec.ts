import { randomUUID } from "node:crypto";
import type { Agent } from "../support/api-document";
import { brokenBodies, expectError } from "../support/expect-answers";
import { textOfMessages } from "../support/model-script";
import { startRun, waitForEdit, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_IDS } from "../support/unknown-ids";

const INPUT_MAX = 262_144;

/** An agent that only this test changes, and its path. */
const test = base.extend<{ agent: Agent; path: string }>({
  agent: ({ newAgent }, use) =>
    newAgent({
      name: "Reporter",
      skill: "# Reporter\n\nReport in English.",
      config: { starters: ["Go"] },
    }).then(use),
  path: ({ agent }, use) => use(`/v1/agents/${agent.agent_id}`),
});

const proposing = (args: Record<string, unknown>) => ({
  tool_calls: [{ name: "edit_agent", args }],
});

test("an edit is accepted as queued and, when it succeeds, is a new version of the agent", async ({
  api,
  agent,
  path,
  script,
}) => {
  const one = await script(
    proposing({
      skill_content: "# Reporter\n\nReport in German.",
      summary: "It reports in German now.",
    }),
  );
  const accepted = await api.post(`${path}/edits`, {
    input: `In German, please. ${one.mark}`,
    release_note: "German",
  });
  expect(accepted.status).toBe(202);
  const queued = accepted.as("EditRun");
  expect(queued).toMatchObject({
    agent_id: agent.agent_id,
    status: "queued",
    result: null,
    error: null,
    started_at: null,
    completed_at: null,
  });
  expect(accepted.header("location")).toBe(`${path}/edits/${queued.run_id}`);
  const edit = await waitForEdit(api, agent.agent_id, queued.run_id);
  expect(edit).toMatchObject({
    status: "succeeded",
    error: null,
    conversation_id: queued.conversation_id,
  });
  expect(edit.result).toMatchObject({
    text: "It reports in German now.",
    agent_id: agent.agent_id,
  });
  expect(edit.usage?.credits).toBeGreaterThan(0);
  const after = (await api.get(path)).as("Agent");
  const { name, description, config, config_content, write_autonomy } = agent;
  expect(after).toMatchObject({
    name,
    description,
    config,
    config_content,
    write_autonomy,
    skill_content: "# Reporter\n\nReport in German.",
    version: "1.0.1",
  });
  const [newest] = (await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data;
  expect(newest).toMatchObject({
    version_id: after.current_version_id,
    number: 2,
    version: "1.0.1",
    source: "edit",
    release_note: "German",
    run_id: edit.run_id,
  });
  expect(await waitForRun(api, queued.run_id)).toMatchObject({
    kind: "agent_edit",
    status: "completed",
    agent_id: agent.agent_id,
    usage: edit.usage,
    actions: edit.actions,
    actions_truncated: false,
  });
  expect(edit.actions?.map(({ tool }) => tool)).toContain("edit_agent");
});

test("the model reads the agent and the person's words, with typed tools to draft and end", async ({
  api,
  path,
  script,
}) => {
  const one = await script(proposing({ name: "Renamed", summary: "Renamed." }));
  await waitForRun(
    api,
    (await api.post(`${path}/edits`, { input: `Call it something else. ${one.mark}` })).as(
      "EditRun",
    ).run_id,
  );
  const [call] = await one.calls();
  for (const text of ["Call it something else.", "Report in English.", "Reporter"])
    expect(textOfMessages(call)).toContain(text);
  const names = call?.body.tools?.map((tool) => tool.function.name);
  for (const name of ["edit_agent", "try_agent", "finish"]) expect(names).toContain(name);
});

test("a proposal that does not fit goes back to the model, and its repair is stored", async ({
  api,
  agent,
  path,
  script,
}) => {
  const one = await script(
    proposing({ config: { version: 1, tools: { builtin: ["no_such_tool"] } }, summary: "x" }),
    proposing({ config: { version: 1, limits: { max_steps: 5 } }, summary: "At most five steps." }),
  );
  const { run_id } = (await api.post(`${path}/edits`, { input: one.mark })).as("EditRun");
  expect((await waitForEdit(api, agent.agent_id, run_id)).status).toBe("succeeded");
  expect(textOfMessages((await one.calls())[1])).toContain("config.tools.builtin.0");
  expect((await api.get(path)).as("Agent").config).toEqual({
    version: 1,
    limits: { max_steps: 5 },
  });
});

for (const [what, turn, code] of [
  [
    "only proposes what does not fit",
    proposing({ skill_content: "", summary: "x" }),
    "AGENT_BUILD_FAILED",
  ],
  ["does not answer", { status: 400 }, "EXECUTION_FAILED"],
] as const) {
  test(`an edit whose model ${what} fails with ${code} and leaves the agent untouched`, async ({
    api,
    agent,
    path,
    script,
  }) => {
    const one = await script({
      ...turn,
      ...("tool_calls" in turn && { tool_calls: [...turn.tool_calls] }),
    });
    const { run_id } = (await api.post(`${path}/edits`, { input: one.mark })).as("EditRun");
    expect(await waitForEdit(api, agent.agent_id, run_id)).toMatchObject({
      status: "failed",
      result: null,
      error: { code },
    });
    expect((await api.get(path)).json()).toEqual(agent);
    expect((await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data).toHaveLength(1);
  });
}

test("a cancelled edit leaves the agent untouched", async ({ api, agent, path, script }) => {
  const one = await script({ ...proposing({ name: "Too late", summary: "x" }), hold_first: true });
  const { run_id } = (await api.post(`${path}/edits`, { input: one.mark })).as("EditRun");
  await one.waitForCalls(1);
  expect((await api.get(`${path}/edits/${run_id}`)).as("EditRun").status).toBe("running");
  expect((await api.post(`/v1/runs/${run_id}/cancel`)).status).toBe(202);
  await one.release();
  expect((await waitForEdit(api, agent.agent_id, run_id)).status).toBe("cancelled");
  expect((await api.get(path)).json()).toEqual(agent);
  expect((await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data).toHaveLength(1);
});

test("a patch that is stored while the edit's model thinks is not overwritten", async ({
  api,
  agent,
  path,
  script,
}) => {
  const one = await script(
    { ...proposing({ skill_content: "of the old text", summary: "x" }), hold_first: true },
    proposing({ description: "made on the patched text", summary: "Described." }),
  );
  const { run_id } = (await api.post(`${path}/edits`, { input: one.mark })).as("EditRun");
  await one.waitForCalls(1);
  expect((await api.patch(path, { skill_content: "Patched meanwhile." })).status).toBe(200);
  await one.release();
  expect((await waitForEdit(api, agent.agent_id, run_id)).status).toBe("succeeded");
  expect(textOfMessages((await one.calls())[1])).toContain("Patched meanwhile.");
  expect((await api.get(path)).as("Agent")).toMatchObject({
    skill_content: "Patched meanwhile.",
    description: "made on the patched text",
  });
  expect(
    (await api.get(`${path}/versions`))
      .as("AgentVersionMetadataPage")
      .data.map((version) => version.source),
  ).toEqual(["edit", "patch", "create"]);
});

test("a creation's conversation is continued by an edit, and one of runs is not", async ({
  api,
  agent,
  path,
  script,
}) => {
  const [creation] = (await api.get("/v1/runs", { query: { agent_id: agent.agent_id } })).as(
    "RunPage",
  ).data;
  const one = await script(proposing({ name: "Renamed", summary: "Renamed." }));
  const edit = (
    await api.post(`${path}/edits`, { input: one.mark, conversation_id: creation?.conversation_id })
  ).as("EditRun");
  expect(edit.conversation_id).toBe(creation?.conversation_id);
  await waitForRun(api, edit.run_id);
  expect(textOfMessages((await one.calls())[0])).toContain("Make a test agent.");
  const plain = await script({ text: "ok" });
  const run = await waitForRun(api, (await startRun(api, { input: { text: plain.mark } })).run_id);
  for (const conversation_id of [run.conversation_id, ...UNKNOWN_IDS])
    expectError(
      await api.post(`${path}/edits`, { input: "x", conversation_id }),
      404,
      "CONVERSATION_NOT_FOUND",
    );
});

test("a busy conversation accepts no edit", async ({ api, path, script }) => {
  const held = await script({ ...proposing({ name: "Later", summary: "x" }), hold_first: true });
  const edit = (await api.post(`${path}/edits`, { input: held.mark })).as("EditRun");
  const body = { input: "x", conversation_id: edit.conversation_id };
  expectError(await api.post(`${path}/edits`, body), 409, "CONVERSATION_BUSY");
  expectError(await api.post("/v1/agents", body), 409, "CONVERSATION_BUSY");
  await held.release();
  await waitForRun(api, edit.run_id);
});

test("edits are listed newest first for their agent only, and are fetched under it only", async ({
  api,
  agent,
  path,
  newAgent,
  script,
}) => {
  const other = await newAgent();
  const made: string[] = [];
  for (const name of ["a", "b"]) {
    const one = await script(proposing({ name, summary: "Renamed." }));
    const { run_id } = (await api.post(`${path}/edits`, { input: one.mark })).as("EditRun");
    await waitForEdit(api, agent.agent_id, run_id);
    made.unshift(run_id);
  }
  const page = (await api.get(`${path}/edits`, { query: { limit: 1 } })).as("EditRunPage");
  const rest = (await api.get(`${path}/edits`, { query: { cursor: String(page.next_cursor) } })).as(
    "EditRunPage",
  );
  expect([...page.data, ...rest.data].map((edit) => edit.run_id)).toEqual(made);
  expect(rest).toMatchObject({ has_more: false, next_cursor: null });
  expect((await api.get(`/v1/agents/${other.agent_id}/edits`)).json()).toEqual({
    data: [],
    has_more: false,
    next_cursor: null,
  });
  const plain = await script({ text: "ok" });
  const run = await startRun(api, { agent_id: agent.agent_id, input: { text: plain.mark } });
  for (const id of [...UNKNOWN_IDS, run.run_id])
    expectError(await api.get(`${path}/edits/${id}`), 404, "RUN_NOT_FOUND");
  expectError(await api.get(`/v1/agents/${other.agent_id}/edits/${made[0]}`), 404, "RUN_NOT_FOUND");
  for (const id of MALFORMED_IDS)
    expectError(await api.get(`${path}/edits/${id}`), 400, "INVALID_INPUT", "run_id");
});

test("an Idempotency-Key starts one edit, of one agent", async ({
  api,
  path,
  newAgent,
  script,
}) => {
  const one = await script(proposing({ name: "Once", summary: "Renamed." }));
  const options = { headers: { "idempotency-key": randomUUID() } };
  const body = { input: one.mark };
  const first = await api.post(`${path}/edits`, body, options);
  await waitForRun(api, first.as("EditRun").run_id);
  const again = await api.post(`${path}/edits`, body, options);
  expect([again.status, again.header("idempotency-replayed"), again.text]).toEqual([
    202,
    "true",
    first.text,
  ]);
  expect(again.header("location")).toBe(first.header("location"));
  expectError(
    await api.post(`${path}/edits`, { input: "other" }, options),
    409,
    "IDEMPOTENCY_CONFLICT",
  );
  expect((await api.get(`${path}/edits`)).as("EditRunPage").data).toHaveLength(1);
  const elsewhere = await api.post(
    `/v1/agents/${(await newAgent()).agent_id}/edits`,
    body,
    options,
  );
  expect([elsewhere.status, elsewhere.header("idempotency-replayed")]).toEqual([202, null]);
});

test("the end of an edit is sent to its webhook as completed", async ({
  api,
  agent,
  path,
  script,
  inbox,
}) => {
  const one = await script(proposing({ name: "Hooked", summary: "Renamed." }));
  const edit = (await api.post(`${path}/edits`, { input: one.mark, webhook_url: inbox.url })).as(
    "EditRun",
  );
  const [call] = await inbox.waitFor(1);
  expect(JSON.parse(call?.body ?? "")).toMatchObject({
    runId: edit.run_id,
    status: "completed",
    result: { text: "Renamed.", agentId: agent.agent_id, agentName: "Hooked" },
  });
});

test("an edit beyond the wallet is refused, saying what it takes, and leaves nothing", async ({
  newAccount,
  newAgent,
}) => {
  const { api, email } = await newAccount({ credits: 1000 });
  const agent = await newAgent({}, api);
  const { admin } = await import("../support/admin");
  await admin(["account", "update", "--email", email, "--credits", "0"]);
  const { available, required } = expectError(
    await api.post(`/v1/agents/${agent.agent_id}/edits`, { input: "x" }),
    402,
    "INSUFFICIENT_CREDITS",
  );
  expect(available).toBe(0);
  expect(required).toBeGreaterThan(0);
  await admin(["account", "update", "--email", email, "--blocked", "true"]);
  expectError(
    await api.post(`/v1/agents/${agent.agent_id}/edits`, { input: "x" }),
    403,
    "ACCOUNT_BLOCKED",
  );
  expect((await api.get(`/v1/agents/${agent.agent_id}/edits`)).json()).toMatchObject({ data: [] });
  expect(
    (await api.patch(`/v1/agents/${agent.agent_id}`, { name: "Blocked accounts may patch" }))
      .status,
  ).toBe(200);
});

test("an input of 262,144 characters and as many bytes is accepted, one more is not", async ({
  api,
  path,
}) => {
  for (const input of ["a".repeat(INPUT_MAX + 1), `${"ü".repeat(INPUT_MAX / 2)}a`])
    expectError(await api.post(`${path}/edits`, { input }), 400, "INVALID_INPUT", "input");
  for (const input of ["a".repeat(INPUT_MAX), "ü".repeat(INPUT_MAX / 2)]) {
    const response = await api.post(`${path}/edits`, { input });
    expect(response.status).toBe(202);
    await api.post(`/v1/runs/${response.as("EditRun").run_id}/cancel`);
  }
});

for (const { name, options, status, code } of brokenBodies({ input: "Change it." }, "input")) {
  test(`POST /v1/agents/{id}/edits refuses ${name}`, async ({ api, sharedAgent }) => {
    expectError(
      await api.post(`/v1/agents/${sharedAgent.agent_id}/edits`, undefined, options),
      status,
      code,
    );
  });
}

const BAD_FIELDS: [string, Record<string, unknown>, string][] = [
  ["no input", {}, "input"],
  ["an empty input", { input: "" }, "input"],
  ["a blank input", { input: " \n" }, "input"],
  ["a conversation that is no uuid", { input: "x", conversation_id: "42" }, "conversation_id"],
  ["a webhook on localhost", { input: "x", webhook_url: "http://localhost:1/" }, "webhook_url"],
  ["a note that is too long", { input: "x", release_note: "r".repeat(2001) }, "release_note"],
  ["an agent_id", { input: "x", agent_id: UNKNOWN_IDS[0] }, "agent_id"],
];
for (const [name, body, path] of BAD_FIELDS) {
  test(`POST /v1/agents/{id}/edits refuses ${name} and names the field`, async ({
    api,
    sharedAgent,
  }) => {
    expectError(
      await api.post(`/v1/agents/${sharedAgent.agent_id}/edits`, body),
      400,
      "INVALID_INPUT",
      path,
    );
  });
}
