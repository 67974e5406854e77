import { randomUUID } from "node:crypto";
import type { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";

const inputs = (name: string) => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
});
const schedulesOf = (agentId: string) => `/v1/agents/${agentId}/schedules`;

async function makeSchedule(api: ApiClient, agentId: string, body: object) {
  const made = await api.post(schedulesOf(agentId), { cron: "0 9 1 1 *", ...body });
  expect(made.status).toBe(201);
  const schedule = made.as("Schedule");
  return { schedule, path: `${schedulesOf(agentId)}/${schedule.schedule_id}` };
}

test("a run that names a version works by it, by its inputs too, and shows its number", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({
    skill: "Say it in French.",
    config: { inputs: inputs("topic") },
  });
  const one = await script({ text: "Oui." }, { text: "Yes." }, { text: "Oui, encore." });
  const path = `/v1/agents/${agent.agent_id}`;
  await api.patch(path, {
    version: "2.0.0",
    skill_content: "Say it in English.",
    config: { version: 1, inputs: inputs("question") },
  });
  const versions = (await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data;
  const [now, old] = versions;
  const run = async (body: object) =>
    waitForRun(api, (await startRun(api, { agent_id: agent.agent_id, ...body })).run_id);
  const topic = { input: { topic: one.mark } };
  expect(await run({ ...topic, version: old?.version_id })).toMatchObject({
    agent_version: old?.number,
    result: { text: "Oui." },
  });
  expect(await run({ input: { question: one.mark } })).toMatchObject({
    agent_version: now?.number,
    result: { text: "Yes." },
  });
  expect(await run({ ...topic, version: "1.0.0" })).toMatchObject({
    agent_version: old?.number,
    result: { text: "Oui, encore." },
  });
  const prompts = (await one.calls()).map(({ body }) => JSON.stringify(body.messages));
  expect(prompts.map((prompt) => prompt.includes("in French"))).toEqual([true, false, true]);
  const ask = (body: object) => api.post("/v1/runs", { agent_id: agent.agent_id, ...body });
  expectError(await ask({ ...topic, version: "2.0.0" }), 400, "INVALID_INPUT", "input.question");
  for (const version of ["9.9.9", UNKNOWN_ID, 77])
    expectError(await ask({ ...topic, version }), 404, "VERSION_NOT_FOUND");
  for (const version of ["", 0, 1.5, null, true])
    expectError(await ask({ ...topic, version }), 400, "INVALID_INPUT", "version");
  expectError(
    await api.post("/v1/runs", { input: {}, version: "1.0.0" }),
    400,
    "INVALID_INPUT",
    "version",
  );
});

test("a schedule fired by hand gives its run version, budget and webhook, and is listed", async ({
  api,
  newAgent,
  script,
  inbox,
}) => {
  const agent = await newAgent({ skill: "Say it in French." });
  const one = await script({ text: "Oui." }, { text: "Oui." });
  const { schedule, path } = await makeSchedule(api, agent.agent_id, {
    enabled: false,
    input: { text: one.mark },
    version: "1.0.0",
    max_credits: 25.5,
    webhook_url: inbox.url,
  });
  expect(schedule).toMatchObject({
    version: "1.0.0",
    agent_version: 1,
    max_credits: 25.5,
    webhook_url: inbox.url,
    failures: 0,
    paused_at: null,
    paused_reason: null,
  });
  await api.patch(`/v1/agents/${agent.agent_id}`, { skill_content: "Say it in English." });
  const headers = { "idempotency-key": randomUUID() };
  const fired = await api.post(`${path}/run`, undefined, { headers });
  const run = fired.as("Run");
  expect([fired.status, fired.header("location")]).toEqual([202, `/v1/runs/${run.run_id}`]);
  const repeated = await api.post(`${path}/run`, undefined, { headers });
  expect([repeated.header("idempotency-replayed"), repeated.as("Run").run_id]).toEqual([
    "true",
    run.run_id,
  ]);
  expect(await waitForRun(api, run.run_id)).toMatchObject({
    agent_version: 1,
    metadata: { schedule_id: schedule.schedule_id },
    result: { text: "Oui." },
  });
  expect(JSON.stringify((await one.calls())[0]?.body.messages)).toContain("in French");
  const second = (await api.post(`${path}/run`)).as("Run");
  await waitForRun(api, second.run_id);
  const page = (await api.get(`${path}/firings`, { query: { limit: 1 } })).as("ScheduleFiringPage");
  expect(page).toMatchObject({
    has_more: true,
    data: [
      {
        schedule_id: schedule.schedule_id,
        trigger: "manual",
        outcome: "started",
        run_id: second.run_id,
        run_status: "completed",
        error: null,
      },
    ],
  });
  const rest = await api.get(`${path}/firings`, { query: { cursor: page.next_cursor ?? "" } });
  expect(rest.as("ScheduleFiringPage").data.map(({ run_id }) => run_id)).toEqual([run.run_id]);
  expect((await api.delete(`/v1/runs/${run.run_id}`)).status).toBe(204);
  expect((await api.get(`${path}/firings`)).as("ScheduleFiringPage").data[1]).toMatchObject({
    run_id: run.run_id,
    run_status: null,
  });
  const free = await api.patch(path, { version: null, max_credits: null, webhook_url: null });
  expect(free.as("Schedule")).toMatchObject({
    version: null,
    agent_version: null,
    max_credits: null,
    webhook_url: null,
  });
});

test("ten failed runs in a row pause a schedule, as it and the feed say; resumed, anew", async ({
  newAccount,
  newAgent,
  script,
}) => {
  const { api } = await newAccount({ credits: 1_000_000 });
  const agent = await newAgent({}, api);
  const broken = { status: 400, error_message: "No." };
  const one = await script(...Array.from({ length: 10 }, () => broken));
  const { path } = await makeSchedule(api, agent.agent_id, { input: { text: one.mark } });
  for (let n = 0; n < 10; n += 1) {
    const run = (await api.post(`${path}/run`)).as("Run");
    expect(await waitForRun(api, run.run_id)).toMatchObject({ status: "failed" });
  }
  const list = async () => (await api.get(schedulesOf(agent.agent_id))).as("SchedulePage").data[0];
  expect(await list()).toMatchObject({
    enabled: false,
    next_run_at: null,
    failures: 10,
    paused_at: expect.any(String),
    paused_reason: expect.stringContaining("EXECUTION_FAILED"),
  });
  const { data } = (await api.get("/v1/events", { query: { types: "schedule.failed" } })).as(
    "AccountEventPage",
  );
  expect(data.map(({ data }) => data.paused)).toEqual([...Array(9).fill(false), true]);
  expect((await api.get(`${path}/firings`)).as("ScheduleFiringPage").data[0]).toMatchObject({
    outcome: "started",
    run_status: "failed",
    error: { code: "EXECUTION_FAILED", message: expect.stringContaining("No.") },
  });
  expect((await api.patch(path, { enabled: true })).as("Schedule")).toMatchObject({
    enabled: true,
    failures: 0,
    paused_at: null,
    paused_reason: null,
  });
});
