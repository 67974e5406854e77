import { availableMicros } from "../support/accounts";
import { expectWholeLog, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const TRIES = 3;

test("a model down is tried thrice; then MODEL_UNAVAILABLE, and it costs nothing", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount();
  const before = await availableMicros(api);
  const one = await script({
    status: 503,
    error_message: "upstream http://10.9.8.7/secret sk-internal",
  });
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const last = expectWholeLog(stream.lines);
  expect(last).toMatchObject({ type: "run.failed", error: { code: "MODEL_UNAVAILABLE" } });
  expect(JSON.stringify(stream.lines)).not.toMatch(/10\.9\.8\.7|sk-internal/);
  const run = await waitForRun(api, stream.runId);
  expect(run).toMatchObject({ status: "failed", error: { code: "MODEL_UNAVAILABLE" } });
  expect(JSON.stringify(run)).not.toMatch(/10\.9\.8\.7|sk-internal/);
  expect(await one.calls()).toHaveLength(TRIES);
  expect(await availableMicros(api)).toBe(before);
});

test("a model that is down for a moment is asked again and the run completes", async ({
  api,
  script,
}) => {
  const one = await script({ status: 500 }, { status: 502 }, { text: "back again" });
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  expect(run).toMatchObject({ status: "completed", result: { text: "back again" } });
});

test("a model's Retry-After is heeded; one always limited fails with MODEL_RATE_LIMITED", async ({
  api,
  script,
}) => {
  const seconds = 2;
  const one = await script({ status: 429, retry_after: seconds });
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  expect(run).toMatchObject({ status: "failed", error: { code: "MODEL_RATE_LIMITED" } });
  const times = (await one.calls()).map((call) => call.at);
  expect(times).toHaveLength(TRIES);
  for (const [index, at] of times.slice(1).entries())
    expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(seconds * 1000);
});

test("a request a model refuses fails with EXECUTION_FAILED and provider's words", async ({
  api,
  script,
}) => {
  const words = "This model's maximum context length is 4096 tokens";
  const one = await script({
    status: 400,
    error_message: `${words}; the key test-provider-key at 10.9.8.7 is fine`,
  });
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  expect(run).toMatchObject({ status: "failed", error: { code: "EXECUTION_FAILED" } });
  expect(run.error?.message).toMatch(
    new RegExp(`The provider says: ${words}; the key \\[redacted\\] at \\[redacted\\] is fine$`),
  );
});

test("an answer that is cut off every time fails with MODEL_UNAVAILABLE, one last line", async ({
  api,
  script,
}) => {
  const one = await script({ text: "always broken in the middle", chunk_size: 4, cut_after: 2 });
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  expect(expectWholeLog(stream.lines)).toMatchObject({
    type: "run.failed",
    error: { code: "MODEL_UNAVAILABLE" },
  });
  expect(await one.calls()).toHaveLength(TRIES);
});

test("a broken piece in a model's stream breaks not ours: the run ends, with a whole log", async ({
  api,
  script,
}) => {
  const one = await script(
    { text: "some words here", chunk_size: 4, malformed: true },
    { text: "clean now" },
  );
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const last = expectWholeLog(stream.lines);
  if (last.type === "run.completed")
    expect(["clean now", "some words here"]).toContain(last.result.text);
  else expect(["EXECUTION_FAILED", "MODEL_UNAVAILABLE"]).toContain(last.error.code);
});

test("fallback models are tried in order before a run fails, and paid by their own names", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({
    config: { model: "compatible/test-model", fallback_models: ["compatible/other-model"] },
  });
  const one = await script(
    { status: 503 },
    { status: 503 },
    { status: 503 },
    { text: "from the second", usage: { input: 10, output: 10 } },
  );
  const run = await waitForRun(
    api,
    (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } })).run_id,
  );
  expect(run).toMatchObject({ status: "completed", result: { text: "from the second" } });
  expect((await one.calls()).map((call) => call.body.model)).toEqual([
    "test-model",
    "test-model",
    "test-model",
    "other-model",
  ]);
  expect(run.usage?.breakdown.map((row) => row.model)).toContain("compatible/other-model");
});

test("a run over its time limit fails with TIMEOUT, and its model call is aborted", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ config: { limits: { timeout_seconds: 2 } } });
  const one = await script({ text: "never", hold_first: true });
  const run = await waitForRun(
    api,
    (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } })).run_id,
  );
  expect(run).toMatchObject({ status: "failed", error: { code: "TIMEOUT" } });
  await expect.poll(async () => (await one.calls())[0]?.disconnected_at ?? 0).toBeGreaterThan(0);
});

test("a run over its steps fails with STEP_LIMIT_EXCEEDED and calls the model no more", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ config: { limits: { max_steps: 3 } } });
  const one = await script({ tool_calls: [{ name: "todo", fill: true }] });
  const run = await waitForRun(
    api,
    (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } })).run_id,
  );
  expect(run).toMatchObject({ status: "failed", error: { code: "STEP_LIMIT_EXCEEDED" } });
  expect((await one.calls()).length).toBeLessThanOrEqual(3);
});

test("a call of no tool, or with arguments that do not fit, is told to the model", async ({
  api,
  script,
}) => {
  const one = await script(
    { tool_calls: [{ name: "no_such_tool", args: { a: 1 } }] },
    { tool_calls: [{ name: "files_read", raw_args: '{"path": ' }] },
    { tool_calls: [{ name: "files_read", args: { surprise: true } }] },
    { text: "I gave up on tools." },
  );
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  expect(expectWholeLog(stream.lines)).toMatchObject({
    type: "run.completed",
    result: { text: "I gave up on tools." },
  });
  const calls = await one.calls();
  expect(calls).toHaveLength(4);
  for (const call of calls.slice(1)) expect(call.body.messages.at(-1)?.role).toBe("tool");
});
