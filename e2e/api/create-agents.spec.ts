import { brokenBodies, expectError } from "../support/expect-answers";
import { textOfMessages } from "../support/model-script";
import { expectWholeLog, RunStream } from "../support/run-log";
import { waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const INPUT_MAX = 262_144;
const GOOD_ARGS = {
  name: "Weather reporter",
  description: "Reports the weather from a file.",
  skill_content: "# Weather reporter\n\n1. Read the file.\n2. Report.",
  config: {
    version: 1,
    inputs: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
  write_autonomy: "full_auto",
};

test("a creation is accepted without an agent, and ends with the one that the model built", async ({
  api,
  script,
}) => {
  const one = await script(
    { tool_calls: [{ name: "create_agent", args: GOOD_ARGS, fill: true }] },
    { text: "Your agent is ready." },
  );
  const accepted = await api.post("/v1/agents", { input: `Report the weather. ${one.mark}` });
  expect(accepted.status).toBe(202);
  const pending = accepted.as("Run");
  expect(pending).toMatchObject({
    status: "pending",
    kind: "agent_creation",
    agent_id: null,
    metadata: {},
    requires_action: null,
  });
  expect(pending.conversation_id).toBeTruthy();
  const run = await waitForRun(api, pending.run_id);
  expect(run).toMatchObject({
    status: "completed",
    kind: "agent_creation",
    conversation_id: pending.conversation_id,
  });
  expect(run.agent_id).toBeTruthy();
  expect(run.result).toMatchObject({ agent_id: run.agent_id, agent_name: "Weather reporter" });
  expect(run.usage?.credits).toBeGreaterThan(0);
  const agent = (await api.get(`/v1/agents/${run.agent_id}`)).as("Agent");
  expect(agent).toMatchObject({
    ...GOOD_ARGS,
    version: "1.0.0",
    status: "active",
    inputs_schema: GOOD_ARGS.config.inputs,
  });
  expect(agent.config_content).toContain("city");
});

test("the model has typed tools to draft and to end with, and reads the person's words", async ({
  api,
  script,
}) => {
  const one = await script(
    { tool_calls: [{ name: "create_agent", args: GOOD_ARGS, fill: true }] },
    { text: "Done." },
  );
  const run = (
    await api.post("/v1/agents", { input: `Count the penguins of Torgersen. ${one.mark}` })
  ).as("Run");
  await waitForRun(api, run.run_id);
  const [call] = await one.calls();
  expect(textOfMessages(call)).toContain("Count the penguins of Torgersen.");
  const names = call?.body.tools?.map((tool) => tool.function.name);
  for (const name of ["create_agent", "try_agent", "finish"]) expect(names).toContain(name);
  expect(call?.body.tools?.every((tool) => tool.function.parameters?.type === "object")).toBe(true);
  expect(call?.authorization).toBe("Bearer test-provider-key");
});

test("a creation's events are the same log as any run's", async ({ api, script }) => {
  const one = await script(
    { tool_calls: [{ name: "create_agent", args: GOOD_ARGS, fill: true }] },
    { text: "Done." },
  );
  const run = (await api.post("/v1/agents", { input: one.mark })).as("Run");
  const stream = await RunStream.follow(api, run.run_id);
  const last = expectWholeLog(await stream.readAll());
  expect(last).toMatchObject({
    type: "run.completed",
    agent_id: (await waitForRun(api, run.run_id)).agent_id,
  });
});

test("a proposal that does not fit is shown to the model again, and its repair is stored", async ({
  api,
  script,
}) => {
  const wrong = { ...GOOD_ARGS, config: { version: 1, tools: { builtin: ["no_such_tool"] } } };
  const one = await script(
    { tool_calls: [{ name: "create_agent", raw_args: '{"name": "broken' }] },
    { tool_calls: [{ name: "create_agent", args: wrong }] },
    { tool_calls: [{ name: "create_agent", args: GOOD_ARGS, fill: true }] },
    { text: "Repaired." },
  );
  const run = await waitForRun(
    api,
    (await api.post("/v1/agents", { input: one.mark })).as("Run").run_id,
  );
  expect(run.status).toBe("completed");
  const calls = await one.calls();
  expect(calls.length).toBeGreaterThanOrEqual(3);
  expect(textOfMessages(calls[2])).toContain("config.tools.builtin.0");
  expect((await api.get(`/v1/agents/${run.agent_id}`)).as("Agent").name).toBe("Weather reporter");
});

for (const [what, turn] of [
  [
    "only ever proposes what does not fit",
    { tool_calls: [{ name: "create_agent", args: { name: "", config: { version: 99 } } }] },
  ],
  [
    "only ever proposes what is not JSON",
    { tool_calls: [{ name: "create_agent", raw_args: "{{{" }] },
  ],
] as const) {
  test(`a model that ${what} fails the creation with AGENT_BUILD_FAILED, leaving none`, async ({
    newAccount,
    script,
  }) => {
    const { api } = await newAccount();
    const one = await script({
      ...turn,
      tool_calls: "tool_calls" in turn ? [...turn.tool_calls] : undefined,
    });
    const run = await waitForRun(
      api,
      (await api.post("/v1/agents", { input: one.mark })).as("Run").run_id,
    );
    expect(run).toMatchObject({
      status: "failed",
      agent_id: null,
      error: { code: "AGENT_BUILD_FAILED" },
    });
    expect((await api.get("/v1/agents")).as("AgentMetadataPage").data).toEqual([]);
    expect((await one.calls()).length).toBeLessThanOrEqual(20);
  });
}

test("a continued creation carries earlier words and changes its agent, in its place", async ({
  api,
  script,
}) => {
  const first = await script(
    { tool_calls: [{ name: "create_agent", args: GOOD_ARGS, fill: true }] },
    { text: "It is called Weather reporter." },
  );
  const one = await waitForRun(
    api,
    (await api.post("/v1/agents", { input: `Something with lighthouses. ${first.mark}` })).as("Run")
      .run_id,
  );
  const second = await script({
    tool_calls: [
      { name: "edit_agent", args: { name: "Second", summary: "Renamed." } },
      { name: "finish", args: { outcome: "built", text: "It is called Second now." } },
    ],
  });
  const accepted = await api.post("/v1/agents", {
    input: `Call it Second. ${second.mark}`,
    conversation_id: one.conversation_id,
  });
  expect(accepted.as("Run")).toMatchObject({
    conversation_id: one.conversation_id,
    agent_id: one.agent_id,
    kind: "agent_creation",
  });
  const run = await waitForRun(api, accepted.as("Run").run_id);
  expect(run).toMatchObject({
    status: "completed",
    agent_id: one.agent_id,
    result: { text: "It is called Second now.", build: { outcome: "built" } },
  });
  const [call] = await second.calls();
  for (const words of ["Something with lighthouses.", "Weather reporter"])
    expect(textOfMessages(call)).toContain(words);
  expect((await api.get(`/v1/agents/${one.agent_id}`)).as("Agent")).toMatchObject({
    name: "Second",
    version: "1.0.1",
  });
  const [newest] = (await api.get(`/v1/agents/${one.agent_id}/versions`)).as(
    "AgentVersionMetadataPage",
  ).data;
  expect(newest).toMatchObject({ source: "edit", release_note: "Renamed.", run_id: run.run_id });
});

test("cancelling a creation leaves no agent behind", async ({ newAccount, script }) => {
  const { api } = await newAccount();
  const one = await script({
    tool_calls: [{ name: "create_agent", args: GOOD_ARGS, fill: true }],
    hold_first: true,
  });
  const run = (await api.post("/v1/agents", { input: one.mark })).as("Run");
  await one.waitForCalls(1);
  expect((await api.post(`/v1/runs/${run.run_id}/cancel`)).status).toBe(202);
  expect((await waitForRun(api, run.run_id)).status).toBe("cancelled");
  await one.release();
  expect((await api.get("/v1/agents")).as("AgentMetadataPage").data).toEqual([]);
});

test("an input of 262,144 characters is accepted, one more is not, nor more bytes", async ({
  api,
}) => {
  const accepted = ["a".repeat(INPUT_MAX), "ü".repeat(INPUT_MAX / 2), "🌍".repeat(INPUT_MAX / 4)];
  const refused = [
    "a".repeat(INPUT_MAX + 1),
    `${"ü".repeat(INPUT_MAX / 2)}a`,
    `${"🌍".repeat(INPUT_MAX / 4)}a`,
  ];
  for (const input of refused)
    expectError(await api.post("/v1/agents", { input }), 400, "INVALID_INPUT", "input");
  for (const input of accepted) {
    const response = await api.post("/v1/agents", { input });
    expect(response.status).toBe(202);
    await api.post(`/v1/runs/${response.as("Run").run_id}/cancel`);
  }
});

for (const { name, options, status, code } of brokenBodies({ input: "An agent." }, "input")) {
  test(`POST /v1/agents refuses ${name}`, async ({ api }) => {
    expectError(await api.post("/v1/agents", undefined, options), status, code);
  });
}

const BAD_FIELDS: [string, Record<string, unknown>, string][] = [
  ["no input", {}, "input"],
  ["an input that is no text", { input: { text: "x" } }, "input"],
  ["a conversation that is no uuid", { input: "x", conversation_id: "42" }, "conversation_id"],
  ["a webhook on localhost", { input: "x", webhook_url: "http://localhost:1/" }, "webhook_url"],
  ["a webhook that is no text", { input: "x", webhook_url: 7 }, "webhook_url"],
  ["an agent_id", { input: "x", agent_id: "01900000-0000-7000-8000-000000000000" }, "agent_id"],
];
for (const [name, body, path] of BAD_FIELDS) {
  test(`POST /v1/agents refuses ${name} and names the field`, async ({ api }) => {
    expectError(await api.post("/v1/agents", body), 400, "INVALID_INPUT", path);
  });
}
