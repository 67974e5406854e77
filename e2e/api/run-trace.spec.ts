import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

test("a trace shows a run's wait, turns, calls, with tokens, times and cost", async ({
  api,
  script,
}) => {
  const one = await script(
    {
      text: "I note it.",
      tool_calls: [{ name: "todo", args: { items: [{ text: "Look", done: true }] } }],
      usage: { input: 120, output: 30, cached: 40 },
    },
    { text: "Done.", usage: { input: 200, output: 10 } },
  );
  const { run_id } = await startRun(api, { input: { text: one.mark } });
  const run = await waitForRun(api, run_id);
  const trace = (await api.get(`/v1/runs/${run_id}/trace`)).as("RunTrace");
  expect(trace.run_id).toBe(run_id);
  // What the model was shown, once, though it took two turns.
  expect(trace.prompts).toEqual([
    {
      turn: 0,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      system: expect.stringContaining("<rules>"),
      tools: expect.arrayContaining([expect.objectContaining({ name: "todo" })]),
    },
  ]);
  expect(trace.spans.map(({ kind }) => kind)).toEqual([
    "queue",
    "turn",
    "model",
    "tool",
    "turn",
    "model",
  ]);
  const [, turn, model, tool] = trace.spans;
  expect(model).toMatchObject({
    parent_id: turn?.span_id,
    status: "succeeded",
    attributes: {
      input_tokens: 120,
      cached_input_tokens: 40,
      output_tokens: 30,
      finish_reason: "tool-calls",
    },
  });
  expect(tool).toMatchObject({
    parent_id: turn?.span_id,
    name: "todo",
    status: "succeeded",
    input: { items: [{ text: "Look" }] },
    error: null,
  });
  expect(trace.spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(
    run.usage.credits,
    6,
  );
  const times = trace.spans.map(({ started_at }) => started_at);
  expect(times).toEqual([...times].sort());
});

test("a turn at work is in the trace with its open call, and the same once ended", async ({
  api,
  script,
}) => {
  const one = await script(
    { tool_calls: [{ name: "todo", fill: true }] },
    { text: "Done.", hold_first: true },
  );
  const { run_id } = await startRun(api, { input: { text: one.mark } });
  await one.waitForCalls(2);
  const open = (await api.get(`/v1/runs/${run_id}/trace`)).as("RunTrace").spans;
  const last = { status: "running", ended_at: null, error: null };
  expect(open.slice(-2)).toMatchObject([
    { span_id: "turn-1", kind: "turn", parent_id: null, ...last },
    { span_id: "model-1", kind: "model", parent_id: "turn-1", ...last },
  ]);
  expect(open.slice(0, -2).map(({ status }) => status)).toEqual([
    "succeeded",
    "succeeded",
    "succeeded",
    "succeeded",
  ]);
  await one.release();
  await waitForRun(api, run_id);
  const { spans } = (await api.get(`/v1/runs/${run_id}/trace`)).as("RunTrace");
  expect(spans.map(({ span_id }) => span_id)).toEqual(open.map(({ span_id }) => span_id));
  expect(spans.every(({ status, ended_at }) => status === "succeeded" && ended_at !== null)).toBe(
    true,
  );
});

test("a trace tells which calls of a model failed, and is another account's to nobody", async ({
  api,
  newAccount,
  script,
}) => {
  const one = await script({ status: 503 }, { text: "back again" });
  const { run_id } = await startRun(api, { input: { text: one.mark } });
  await waitForRun(api, run_id);
  const { spans } = (await api.get(`/v1/runs/${run_id}/trace`)).as("RunTrace");
  expect(spans.find(({ kind }) => kind === "retry")).toMatchObject({
    status: "failed",
    error: { code: "MODEL_UNAVAILABLE" },
  });
  const other = await newAccount();
  expect((await other.api.get(`/v1/runs/${run_id}/trace`)).status).toBe(404);
});

test("a cut answer goes on; one that never ends, is filtered or empty fails by name", async ({
  api,
  script,
}) => {
  const ended = async (...turns: Parameters<typeof script>) => {
    const one = await script(...turns);
    return waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  };
  const cut = { text: "and on ", finish_reason: "length" };
  expect(
    await ended({ text: "First ", finish_reason: "length" }, { text: "and last." }),
  ).toMatchObject({
    result: { text: "First and last." },
  });
  expect(await ended(cut, cut, cut)).toMatchObject({
    status: "failed",
    error: { code: "OUTPUT_TRUNCATED" },
  });
  expect(await ended({ text: "No", finish_reason: "content_filter" })).toMatchObject({
    status: "failed",
    error: { code: "CONTENT_FILTERED" },
  });
  expect(await ended({ text: "" }, { text: "" })).toMatchObject({
    status: "failed",
    error: { code: "EMPTY_ANSWER" },
  });
});

test("an answer that never fits the schema fails with MODEL_CANNOT_ANSWER after two calls", async ({
  api,
  newAgent,
  script,
}) => {
  const output_schema = {
    type: "object",
    properties: { count: { type: "integer" } },
    required: ["count"],
  };
  const agent = await newAgent({ config: { output_schema } });
  const one = await script({ text: "three" }, { text: "still three" }, { text: '{"count": 3}' });
  const run = await waitForRun(
    api,
    (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } })).run_id,
  );
  expect(run).toMatchObject({ status: "failed", error: { code: "MODEL_CANNOT_ANSWER" } });
  expect(await one.calls()).toHaveLength(2);
});

test("in its last turn a model has no tools and is told so, and its answer is the run's", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ config: { limits: { max_steps: 2 } } });
  const one = await script(
    { tool_calls: [{ name: "todo", fill: true }] },
    { text: "As far as I came." },
  );
  const run = await waitForRun(
    api,
    (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } })).run_id,
  );
  expect(run).toMatchObject({ status: "completed", result: { text: "As far as I came." } });
  const [first, last] = await one.calls();
  expect(first?.body.tools).toBeDefined();
  expect(last?.body.tools).toBeUndefined();
  expect(JSON.stringify(last?.body.messages.at(-1))).toContain("last turn");
});
