import { z } from "zod";
import { availableMicros } from "../support/accounts";
import { admin } from "../support/admin";
import { expectError } from "../support/expect-answers";
import { RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

const micros = (credits: number | undefined) => Math.round((credits ?? 0) * 1_000_000);
const creditError = z.looseObject({ available: z.number(), required: z.number() });
// A quarter of these go through in the race below; the prompt is the same for all, so each reserves
// the same.
const STARTS = 12;
const AFFORDABLE = 3;

test("an account starts with 1,000 credits, and usage says what it holds and a day cost", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount();
  const fresh = (await api.get("/v1/account/usage")).as("AccountUsage");
  expect(fresh).toMatchObject({
    credits: { available: 1000 },
    used_24h: 0,
    by_model: [],
    by_agent: [],
    by_day: [],
  });
  const one = await script({ text: "ok", usage: { input: 1000, output: 500 } });
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  const after = (await api.get("/v1/account/usage")).as("AccountUsage");
  expect(micros(after.used_24h)).toBe(micros(run.usage?.credits));
  expect(after.by_model).toHaveLength(1);
  expect(after.by_day).toHaveLength(1);
  expect(Date.parse(after.window_start)).toBeLessThan(Date.parse(run.created_at));
});

test("a run's rows add up to its credits and to the ledger, at 1,000 and 2,000 a million", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount({ credits: 500 });
  const before = await availableMicros(api);
  const one = await script(
    {
      text: "one",
      tool_calls: [{ name: "todo", fill: true }],
      usage: { input: 1000, output: 500 },
    },
    { text: "two", usage: { input: 2001, output: 7 } },
  );
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  expect(run.usage?.breakdown).toEqual([
    expect.objectContaining({
      model: "compatible/test-model",
      capability: "chat",
      input_tokens: 3001,
      output_tokens: 507,
      cached_input_tokens: 0,
      units: 0,
    }),
  ]);
  expect(micros(run.usage?.credits)).toBe(3_001_000 + 1_014_000);
  expect(run.usage?.breakdown.reduce((sum, row) => sum + micros(row.credits), 0)).toBe(
    micros(run.usage?.credits),
  );
  expect(before - (await availableMicros(api))).toBe(micros(run.usage?.credits));
});

test("cached input tokens are part of the input, and never cost more than fresh ones", async ({
  api,
  script,
}) => {
  const one = await script({ text: "ok", usage: { input: 1000, output: 10, cached: 400 } });
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  expect(run.usage?.breakdown[0]).toMatchObject({
    input_tokens: 1000,
    output_tokens: 10,
    cached_input_tokens: 400,
  });
  expect(micros(run.usage?.credits)).toBeLessThanOrEqual(1_020_000);
  expect(micros(run.usage?.credits)).toBeGreaterThan(0);
});

test("no model call is free, even when the provider reports no usage", async ({ api, script }) => {
  const one = await script({ text: "an answer of some length", usage: null });
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  expect(run.usage?.credits).toBeGreaterThan(0);
  expect(run.usage?.breakdown[0]?.output_tokens).toBeGreaterThan(0);
});

test("too few credits answer 402, saying what is lacking, on every start, leaving none", async ({
  newAccount,
}) => {
  const { api } = await newAccount({ credits: 0 });
  for (const [path, body] of [
    ["/v1/runs", { input: {} }],
    ["/v1/realtime/runs", { input: {} }],
    ["/v1/agents", { input: "An agent." }],
  ] as const) {
    const response = await api.post(path, body);
    expectError(response, 402, "INSUFFICIENT_CREDITS");
    const { available, required } = response.fitting(creditError);
    expect(available).toBe(0);
    expect(required).toBeGreaterThan(0);
  }
  expect((await api.get("/v1/runs")).json()).toMatchObject({ data: [] });
});

test("starts at once never take more than the wallet holds, and the sums agree in the end", async ({
  newAccount,
  script,
}) => {
  const { api, email } = await newAccount({ credits: 0 });
  const held = await script({ text: "ok", hold_first: true, usage: { input: 1, output: 1 } });
  // So short an answer that a run which begins takes no more of the wallet than it reserved.
  const document =
    "kind: agent\nformat: 1\nname: Brief\nskill_content: Answer.\nconfig:\n  version: 1\n" +
    "  model_settings:\n    max_output_tokens: 500\n";
  const imported = await api.post("/v1/agents/import", undefined, {
    raw: document,
    headers: { "content-type": "application/yaml" },
  });
  const body = { agent_id: imported.as("Agent").agent_id, input: { text: held.mark } };
  const { required } = (await api.post("/v1/runs", body)).fitting(creditError);
  const granted = micros(required) * AFFORDABLE + Math.floor(micros(required) / 2);
  await admin([
    "account",
    "update",
    "--email",
    email,
    "--credits",
    (granted / 1_000_000).toFixed(6),
  ]);
  const answers = await Promise.all(
    Array.from({ length: STARTS }, () => api.post("/v1/runs", body)),
  );
  const accepted = answers.filter((answer) => answer.status === 202);
  expect(accepted).toHaveLength(AFFORDABLE);
  for (const answer of answers.filter((each) => each.status !== 202))
    expectError(answer, 402, "INSUFFICIENT_CREDITS");
  expect(await availableMicros(api)).toBeGreaterThanOrEqual(0);
  await held.release();
  let used = 0;
  for (const answer of accepted)
    used += micros((await waitForRun(api, answer.as("Run").run_id)).usage?.credits);
  expect(granted - (await availableMicros(api))).toBe(used);
});

test("max_credits ends the run with BUDGET_EXCEEDED once it is spent", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount({ credits: 1000 });
  const before = await availableMicros(api);
  const one = await script({
    text: "spending",
    tool_calls: [{ name: "todo", fill: true }],
    usage: { input: 3000, output: 0 },
  });
  const run = await waitForRun(
    api,
    (await startRun(api, { input: { text: one.mark }, max_credits: 8 })).run_id,
  );
  expect(run).toMatchObject({ status: "failed", error: { code: "BUDGET_EXCEEDED" } });
  expect((await one.calls()).length).toBeLessThanOrEqual(3);
  expect(before - (await availableMicros(api))).toBe(micros(run.usage?.credits));
});

test("a run is never charged more than max_credits, and its model told how long to answer", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount({ credits: 1000 });
  const before = await availableMicros(api);
  const one = await script({ text: "done at once", usage: { input: 4000, output: 3000 } });
  const start = async (max_credits: number) =>
    waitForRun(api, (await startRun(api, { input: { text: one.mark }, max_credits })).run_id);
  expect(await start(9.999999)).toMatchObject({
    status: "failed",
    error: { code: "BUDGET_EXCEEDED" },
    usage: { credits: 9.999999 },
  });
  expect(await start(10)).toMatchObject({ status: "completed", usage: { credits: 10 } });
  expect(before - (await availableMicros(api))).toBe(19_999_999);
  for (const { body } of await one.calls()) {
    expect(body.max_tokens).toBeGreaterThanOrEqual(500);
    expect(body.max_tokens).toBeLessThan(5000);
  }
});

test("a max_credits below the first turn answers 402 with what it takes, unstarted", async ({
  newAccount,
}) => {
  const { api } = await newAccount({ credits: 1000 });
  const before = await availableMicros(api);
  for (const path of ["/v1/runs", "/v1/realtime/runs"]) {
    const response = await api.post(path, { input: {}, max_credits: 0.000001 });
    expectError(response, 402, "INSUFFICIENT_CREDITS");
    const { available, required } = response.fitting(creditError);
    expect(available).toBe(1000);
    expect(required).toBeGreaterThan(0.000001);
  }
  expect((await api.get("/v1/runs")).json()).toMatchObject({ data: [] });
  expect(await availableMicros(api)).toBe(before);
});

test("a wallet that runs out ends its run with INSUFFICIENT_CREDITS, and tells it", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount({ credits: 60 });
  const one = await script({
    text: "spending",
    tool_calls: [{ name: "todo", fill: true }],
    usage: { input: 25_000, output: 0 },
  });
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const last = stream.lines.at(-1);
  expect(last).toMatchObject({ type: "run.failed", error: { code: "INSUFFICIENT_CREDITS" } });
  expect(last?.type === "run.failed" && last.usage?.credits).toBeGreaterThan(0);
  expect((await one.calls()).length).toBeLessThanOrEqual(4);
  expect(await availableMicros(api)).toBeGreaterThanOrEqual(0);
  expect(60_000_000 - (await availableMicros(api))).toBe(
    micros((await waitForRun(api, stream.runId)).usage?.credits),
  );
});

test("credits that the operator adds can be spent at once", async ({ newAccount, script }) => {
  const { api, email } = await newAccount({ credits: 0 });
  await admin(["account", "update", "--email", email, "--add-credits", "12.345678"]);
  expect(await availableMicros(api)).toBe(12_345_678);
  const one = await script({ text: "ok" });
  expect(
    (await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id)).status,
  ).toBe("completed");
});
