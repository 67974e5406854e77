import { waitForEdit, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const DRAFT = {
  name: "Weather reporter",
  description: "Reports the weather from a file.",
  skill_content: "# Weather reporter\n\n1. Read the file.\n2. Report.",
  config: { version: 1 },
  write_autonomy: "approval_required",
};
const NOTHING = { assumptions: [], left_out: [], needs: [], question: null };

const draft = { name: "create_agent", args: DRAFT };
const finish = (args: Record<string, unknown>) => ({ name: "finish", args });

test("a creation that ends by finish says what it assumed, left out and needs", async ({
  api,
  script,
  inbox,
}) => {
  const report = {
    assumptions: ["Degrees are Celsius."],
    left_out: ["The fax: no tool sends one."],
    needs: [{ kind: "file", text: "weather.csv in a workspace." }],
  };
  const one = await script({
    tool_calls: [draft, finish({ outcome: "built", text: "It reports the weather.", ...report })],
  });
  const accepted = await api.post("/v1/agents", { input: one.mark, webhook_url: inbox.url });
  const run = await waitForRun(api, accepted.as("Run").run_id);
  expect(run).toMatchObject({
    status: "completed",
    result: { agent_id: run.agent_id, agent_name: "Weather reporter" },
  });
  expect(run.result?.build).toEqual({ outcome: "built", ...report, question: null });
  for (const words of [
    "It reports the weather.",
    "Degrees are Celsius.",
    "The fax: no tool sends one.",
    "weather.csv in a workspace.",
  ])
    expect(run.result?.text).toContain(words);
  expect(await one.calls()).toHaveLength(1);
  const [call] = await inbox.waitFor(1);
  const sent = JSON.parse(call?.body ?? "{}") as { result: object }; // the webhook's body
  expect(Object.keys(sent.result).sort()).toEqual(["agentId", "agentName", "artifacts", "text"]);
});

for (const [what, turn, build, words] of [
  [
    "answers with a question",
    { text: "Which column holds the date?" },
    { outcome: "question", question: "Which column holds the date?" },
    "date?",
  ],
  [
    "asks by finish",
    {
      tool_calls: [
        finish({ outcome: "question", text: "One thing first.", question: "Which region?" }),
      ],
    },
    { outcome: "question", question: "Which region?" },
    "Which region?",
  ],
  [
    "refuses by finish",
    { tool_calls: [finish({ outcome: "refused", text: "This may not be built." })] },
    { outcome: "refused" },
    "may not",
  ],
] as const) {
  test(`a creation whose model ${what} ends after that turn, with one charge and no agent`, async ({
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
      status: "completed",
      agent_id: null,
      error: null,
      result: { build: { ...NOTHING, ...build } },
    });
    expect(run.result?.text).toContain(words);
    expect(run.result).not.toHaveProperty("agent_id");
    expect(await one.calls()).toHaveLength(1);
    expect((await api.get("/v1/agents")).as("AgentMetadataPage").data).toEqual([]);
  });
}

test("a creation whose model only talks is asked again, then fails, naming missing tools", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount();
  const one = await script({ text: "The agent is kind." }, { text: "It is kind, as I said." });
  const run = await waitForRun(
    api,
    (await api.post("/v1/agents", { input: one.mark })).as("Run").run_id,
  );
  expect(run).toMatchObject({
    status: "failed",
    agent_id: null,
    result: null,
    error: { code: "AGENT_BUILD_FAILED" },
  });
  expect(run.error?.message).toMatch(/answered in words twice.*support tools\?.*as I said\.$/);
  expect(await one.calls()).toHaveLength(2);
  const talkative = await script(
    { text: "No tool of mine sends a fax." },
    { tool_calls: [finish({ outcome: "refused", text: "No tool sends a fax." })] },
  );
  const refused = await waitForRun(
    api,
    (await api.post("/v1/agents", { input: talkative.mark })).as("Run").run_id,
  );
  expect(refused).toMatchObject({
    status: "completed",
    result: { build: { ...NOTHING, outcome: "refused" } },
  });
});

test("a question is answered in its conversation, and then the agent is built there", async ({
  api,
  script,
}) => {
  const asking = await script({
    tool_calls: [finish({ outcome: "question", text: "Which city?", question: "Which city?" })],
  });
  const asked = await waitForRun(
    api,
    (await api.post("/v1/agents", { input: `Weather. ${asking.mark}` })).as("Run").run_id,
  );
  const building = await script({
    tool_calls: [draft, finish({ outcome: "built", text: "Done." })],
  });
  const body = { input: `Oslo. ${building.mark}`, conversation_id: asked.conversation_id };
  const run = await waitForRun(api, (await api.post("/v1/agents", body)).as("Run").run_id);
  expect(run).toMatchObject({
    status: "completed",
    conversation_id: asked.conversation_id,
    result: { build: { outcome: "built" } },
  });
  expect(run.agent_id).toBeTruthy();
  const told =
    (await building.calls())[0]?.body.messages.map(({ role, content }) => [role, content]) ?? [];
  expect(told.slice(1)).toMatchObject([
    ["user", expect.stringContaining("Weather.")],
    ["assistant", expect.stringContaining("Which city?")],
    ["user", expect.stringContaining("Oslo.")],
  ]);
});

test("what was said to a creation that failed is kept in its conversation", async ({
  api,
  script,
}) => {
  const failing = await script({ tool_calls: [{ name: "create_agent", args: { name: "" } }] });
  const failed = await waitForRun(
    api,
    (await api.post("/v1/agents", { input: `All about tides. ${failing.mark}` })).as("Run").run_id,
  );
  expect(failed.error?.code).toBe("AGENT_BUILD_FAILED");
  const building = await script({
    tool_calls: [draft, finish({ outcome: "built", text: "Done." })],
  });
  const body = { input: `Try again. ${building.mark}`, conversation_id: failed.conversation_id };
  const run = await waitForRun(api, (await api.post("/v1/agents", body)).as("Run").run_id);
  expect(run.status).toBe("completed");
  const roles = (await building.calls())[0]?.body.messages.map(({ role }) => role);
  expect(roles).toEqual(["system", "user", "assistant", "user"]);
  expect(JSON.stringify((await building.calls())[0]?.body.messages)).toContain("All about tides.");
});

for (const [what, turn, outcome] of [
  [
    "says that it cannot",
    { tool_calls: [finish({ outcome: "refused", text: "I would rather not." })] },
    "refused",
  ],
  [
    "finds nothing to change",
    { tool_calls: [finish({ outcome: "unchanged", text: "It says so already." })] },
    "unchanged",
  ],
] as const) {
  test(`an edit whose model ${what} is ${outcome} with its words, and makes no version`, async ({
    api,
    newAgent,
    script,
  }) => {
    const agent = await newAgent();
    const one = await script({ tool_calls: [...turn.tool_calls] });
    const { run_id } = (
      await api.post(`/v1/agents/${agent.agent_id}/edits`, { input: one.mark })
    ).as("EditRun");
    const edit = await waitForEdit(api, agent.agent_id, run_id);
    expect(edit).toMatchObject({
      status: "succeeded",
      error: null,
      result: { agent_id: agent.agent_id, build: { ...NOTHING, outcome } },
    });
    expect(edit.result?.text).toBe(
      outcome === "refused" ? "I would rather not." : "It says so already.",
    );
    expect((await api.get(`/v1/agents/${agent.agent_id}`)).json()).toEqual(agent);
    expect(await one.calls()).toHaveLength(1);
  });
}
