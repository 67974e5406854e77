import { z } from "zod";
import { availableMicros } from "../support/accounts";
import type { ApiResponse } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { startRun, waitForEdit, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { until } from "../support/until";

// The tables of the specification's §2: every field is there, of its type, null only where it may
// be.

/** Holds an object to exactly these types; what it has beyond them is allowed. */
function expectFields(answer: ApiResponse | unknown, shape: z.ZodRawShape): void {
  const value =
    // Told apart by its method.
    answer instanceof Object && "json" in answer ? (answer as ApiResponse).json() : answer;
  const parsed = z.looseObject(shape).safeParse(value);
  expect(parsed.error?.issues ?? [], JSON.stringify(value)).toEqual([]);
}

const uuid = z.uuidv7();
const time = z.iso.datetime({ precision: 3 });
const usageRow = z.looseObject({
  model: z.string(),
  capability: z.enum(["chat", "vision", "image", "video", "speech"]),
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  cached_input_tokens: z.int().min(0),
  units: z.number().min(0),
  credits: z.number().min(0),
});
const runFields = {
  run_id: uuid,
  conversation_id: uuid,
  created_at: time,
  metadata: z.record(z.string(), z.string()),
  model: z.string().min(1),
};
const usage = z.looseObject({
  credits: z.number().positive(),
  breakdown: z.array(usageRow).min(1),
});
const none = z.null();

test("a pending Run has every field of its table, with null where nothing is known yet", async ({
  api,
  sharedAgent,
  script,
}) => {
  const one = await script({ text: "ok" });
  const fresh = {
    status: z.literal("pending"),
    result: none,
    error: none,
    started_at: none,
    completed_at: none,
    webhook_delivered_at: none,
  };
  const zero = { usage: z.looseObject({ credits: z.literal(0), breakdown: z.array(z.never()) }) };
  const creation = await api.post("/v1/agents", { input: "An agent." });
  expectFields(creation, {
    ...runFields,
    ...fresh,
    ...zero,
    agent_id: none,
    kind: z.literal("agent_creation"),
  });
  const run = await api.post("/v1/runs", {
    agent_id: sharedAgent.agent_id,
    input: { text: one.mark },
  });
  expectFields(run, {
    ...runFields,
    ...fresh,
    ...zero,
    agent_id: z.literal(sharedAgent.agent_id),
    kind: z.literal("agent"),
  });
  expectFields(await api.post("/v1/runs", { input: { text: one.mark } }), {
    ...runFields,
    ...fresh,
    agent_id: none,
  });
});

test("a running Run has a start and no end", async ({ api, script }) => {
  const one = await script({ text: "ok", hold_first: true });
  const { run_id } = await startRun(api, { input: { text: one.mark } });
  await one.waitForCalls(1);
  expectFields(await api.get(`/v1/runs/${run_id}`), {
    ...runFields,
    status: z.literal("running"),
    started_at: time,
    completed_at: none,
    result: none,
    error: none,
  });
  await one.release();
});

test("a completed Run has text, artifacts of text fields, usage by model, webhook's time", async ({
  api,
  inbox,
  script,
}) => {
  const artifact = { title: "Report", content: "# Report", type: "text/markdown" };
  const one = await script(
    { tool_calls: [{ name: "artifacts", args: artifact, fill: true }] },
    { text: "ok" },
  );
  const { run_id } = await startRun(api, { input: { text: one.mark }, webhook_url: inbox.url });
  await until(
    "the webhook",
    async () => (await api.get(`/v1/runs/${run_id}`)).as("Run").webhook_delivered_at,
  );
  const text = z.string().min(1);
  expectFields(await api.get(`/v1/runs/${run_id}`), {
    ...runFields,
    status: z.literal("completed"),
    result: z.looseObject({
      text: z.literal("ok"),
      artifacts: z
        .array(z.looseObject({ id: text, title: text, type: text, url: z.url() }))
        .length(1),
    }),
    usage,
    error: none,
    started_at: time,
    completed_at: time,
    webhook_delivered_at: time,
  });
});

test("a completed creation Run carries the new agent's id twice, and its name", async ({
  api,
  newAgent,
}) => {
  const agent = await newAgent({ name: "Carried" });
  const page = (await api.get("/v1/runs", { query: { agent_id: agent.agent_id } })).json() as {
    data: unknown[];
  }; // a page of Runs
  expectFields(page.data[0], {
    ...runFields,
    agent_id: z.literal(agent.agent_id),
    result: z.looseObject({
      text: z.string(),
      agent_id: z.literal(agent.agent_id),
      agent_name: z.literal("Carried"),
    }),
  });
});

test("a failed and a cancelled Run have an end, no result; a failed one's code", async ({
  api,
  script,
}) => {
  const [bad, held] = [
    await script({ status: 400 }),
    await script({ text: "late", hold_first: true }),
  ];
  const failed = await waitForRun(api, (await startRun(api, { input: { text: bad.mark } })).run_id);
  const error = z.looseObject({ code: z.literal("EXECUTION_FAILED"), message: z.string().min(1) });
  expectFields(failed, {
    ...runFields,
    status: z.literal("failed"),
    error,
    result: none,
    started_at: time,
    completed_at: time,
  });
  const { run_id } = await startRun(api, { input: { text: held.mark } });
  await api.post(`/v1/runs/${run_id}/cancel`);
  expectFields(await api.get(`/v1/runs/${run_id}`), {
    ...runFields,
    status: z.literal("cancelled"),
    result: none,
    completed_at: time,
  });
  await held.release();
});

test("an Agent has each field of its table, each write autonomy, and its texts", async ({
  api,
  newAgent,
}) => {
  const { agent_id } = await newAgent();
  const path = `/v1/agents/${agent_id}`;
  const summary = {
    agent_id: z.literal(agent_id),
    name: z.string().min(1).max(255),
    description: z.string().nullable(),
    version: z.string(),
    status: z.literal("active"),
    write_autonomy: z.enum(["full_auto", "approval_required", "blocked"]),
    created_at: time,
    updated_at: time,
  };
  const texts = {
    skill_content: z.string(),
    config_content: z.string(),
    config: z.looseObject({}),
    dashboard_template: z.looseObject({}).nullable(),
  };
  for (const write_autonomy of ["approval_required", "blocked", "full_auto"] as const)
    for (const description of ["Words.", null])
      for (const answer of [
        await api.patch(path, { write_autonomy, description }),
        await api.get(path),
      ])
        expectFields(answer, {
          ...summary,
          ...texts,
          write_autonomy: z.literal(write_autonomy),
          description: z.literal(description),
        });
  const { data } = (await api.get("/v1/agents", { query: { limit: 100 } })).json() as {
    data: { agent_id: string }[];
  }; // a page of Agents
  const row = data.find((each) => each.agent_id === agent_id) ?? {};
  expectFields(row, summary);
  expect(Object.keys(row).filter((name) => name in texts)).toEqual([]);
});

test("an edit run has every field of its table in each of its states", async ({
  api,
  newAgent,
  script,
}) => {
  const { agent_id } = await newAgent();
  const edits = `/v1/agents/${agent_id}/edits`;
  const fields = { run_id: uuid, agent_id: z.literal(agent_id), created_at: time };
  const pace = { started_at: time, completed_at: time };
  const start = async (mark: string) => {
    const queued = await api.post(edits, { input: mark });
    expectFields(queued, {
      ...fields,
      status: z.literal("queued"),
      result: none,
      error: none,
      started_at: none,
      completed_at: none,
    });
    return queued.fitting(z.looseObject({ run_id: uuid })).run_id;
  };
  const good = await script({
    tool_calls: [{ name: "$only", args: { name: "Edited", summary: "Renamed." } }],
    hold_first: true,
  });
  const first = await start(good.mark);
  await good.waitForCalls(1);
  const running = {
    status: z.literal("running"),
    started_at: time,
    completed_at: none,
    result: none,
    error: none,
  };
  expectFields(await api.get(`${edits}/${first}`), { ...fields, ...running });
  await good.release();
  const result = z.looseObject({ text: z.string().min(1) });
  expectFields(await waitForEdit(api, agent_id, first), {
    ...fields,
    ...pace,
    status: z.literal("succeeded"),
    result,
    usage,
    error: none,
  });
  const failed = await waitForEdit(
    api,
    agent_id,
    await start((await script({ status: 400 })).mark),
  );
  expectFields(failed, {
    ...fields,
    ...pace,
    status: z.literal("failed"),
    result: none,
    error: z.looseObject({ code: z.string() }),
  });
  const held = await script({ text: "late", hold_first: true });
  const last = await start(held.mark);
  await api.post(`/v1/runs/${last}/cancel`);
  expectFields(await api.get(`${edits}/${last}`), {
    ...fields,
    status: z.literal("cancelled"),
    result: none,
    completed_at: time,
  });
  await held.release();
});

test("an error body has a stable code and a message, and on credit errors the numbers", async ({
  api,
  newAccount,
}) => {
  expectFields(await api.get("/v1/nothing"), {
    error: z.literal("NOT_FOUND"),
    message: z.string().min(1),
  });
  const poor = await newAccount({ credits: 0.000001 });
  const answer = await poor.api.post("/v1/runs", { input: {} });
  expectError(answer, 402, "INSUFFICIENT_CREDITS");
  expectFields(answer, { available: z.literal(0.000001), required: z.number().positive() });
});

test("usage has the wallet's balance and a rolling day's spend, by model, agent and day", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount({ credits: 100 });
  const one = await script({ text: "ok" });
  const run = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  const spent = run.usage?.credits ?? 0;
  const asked = Date.now();
  const answer = await api.get("/v1/account/usage");
  const answered = Date.now();
  expectFields(answer, {
    credits: z.looseObject({ available: z.number() }),
    used_24h: z.literal(spent),
    window_start: time,
  });
  expect(await availableMicros(api)).toBe(100_000_000 - Math.round(spent * 1_000_000));
  const { window_start } = answer.json() as { window_start: string }; // checked above
  const dayLater = Date.parse(window_start) + 86_400_000;
  expect(dayLater).toBeGreaterThanOrEqual(asked);
  expect(dayLater).toBeLessThanOrEqual(answered);
});
