import { expectError, expectSameAnswer } from "../support/expect-answers";
import { expect, test } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_ID } from "../support/unknown-ids";
import { until } from "../support/until";

const DAILY = {
  cron: "30 9 * * *",
  timezone: "Asia/Kolkata",
  input: { text: "go" },
  enabled: true,
};

test("a schedule is created, listed, changed and deleted", async ({ api, newAgent }) => {
  const agent = await newAgent();
  const path = `/v1/agents/${agent.agent_id}/schedules`;
  const created = await api.post(path, DAILY);
  expect(created.status).toBe(201);
  const schedule = created.as("Schedule");
  expect(schedule).toMatchObject({ ...DAILY, agent_id: agent.agent_id, last_run_at: null });
  expect(schedule.next_run_at).toMatch(/T04:00:00.000Z$/);
  expect((await api.get(path)).as("SchedulePage")).toMatchObject({
    data: [schedule],
    has_more: false,
    next_cursor: null,
  });
  const off = await api.request("PATCH", `${path}/${schedule.schedule_id}`, {
    json: { enabled: false },
  });
  expect(off.status).toBe(200);
  expect(off.as("Schedule")).toMatchObject({ enabled: false, next_run_at: null, cron: DAILY.cron });
  expect((await api.delete(`${path}/${schedule.schedule_id}`)).status).toBe(204);
  expectError(await api.delete(`${path}/${schedule.schedule_id}`), 404, "SCHEDULE_NOT_FOUND");
  expect((await api.get(path)).json()).toMatchObject({ data: [] });
});

test("a firing is an ordinary run with metadata.schedule_id, once", async ({
  newAccount,
  script,
  newAgent,
}) => {
  const { api } = await newAccount({ max: { schedule_minutes: 1 } });
  const agent = await newAgent({}, api);
  const one = await script({ text: "fired" });
  const body = { cron: "* * * * *", timezone: "UTC", input: { text: one.mark } };
  const schedule = (await api.post(`/v1/agents/${agent.agent_id}/schedules`, body)).as("Schedule");
  const query = { "metadata[schedule_id]": schedule.schedule_id };
  const [run] = await until(
    "the firing",
    async () => {
      const { data } = (await api.get("/v1/runs", { query })).as("RunPage");
      return data[0]?.status === "completed" && data;
    },
    { deadlineMs: 130_000, everyMs: 500 },
  );
  await api.request("PATCH", `/v1/agents/${agent.agent_id}/schedules/${schedule.schedule_id}`, {
    json: { enabled: false },
  });
  expect(run).toMatchObject({
    kind: "agent",
    agent_id: agent.agent_id,
    metadata: { schedule_id: schedule.schedule_id },
    result: { text: "fired" },
  });
  const runs = (await api.get("/v1/runs", { query })).as("RunPage").data;
  const minutes = runs.map((row) => row.created_at.slice(0, 16));
  expect(new Set(minutes).size).toBe(minutes.length);
});

test("what a schedule cannot be is refused with its place, and nothing is stored", async ({
  api,
  newAgent,
}) => {
  const agent = await newAgent({
    config: {
      inputs: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
    },
  });
  const path = `/v1/agents/${agent.agent_id}/schedules`;
  const fine = { ...DAILY, input: { topic: "x" } };
  const cases: [unknown, string][] = [
    [{ ...fine, cron: "* * * *" }, "cron"],
    [{ ...fine, cron: "* * * * * *" }, "cron"],
    [{ ...fine, cron: "@daily" }, "cron"],
    [{ ...fine, cron: "61 * * * *" }, "cron"],
    [{ ...fine, cron: "0 0 30 2 *" }, "cron"],
    [{ ...fine, cron: "*/4 * * * *" }, "cron"],
    [{ ...fine, cron: "" }, "cron"],
    [{ ...fine, cron: 5 }, "cron"],
    [{ timezone: "UTC", input: { topic: "x" } }, "cron"],
    [{ ...fine, timezone: "Mars/Base" }, "timezone"],
    [{ ...fine, timezone: "+02:00" }, "timezone"],
    [{ ...fine, input: [] }, "input"],
    [{ ...fine, input: {} }, "input.topic"],
    [{ ...fine, input: { topic: "é".repeat(131_072) } }, "input"],
    [{ ...fine, enabled: "yes" }, "enabled"],
    [{ ...fine, surprise: 1 }, "surprise"],
  ];
  for (const [body, place] of cases)
    expectError(await api.post(path, body), 400, "INVALID_INPUT", place);
  expect((await api.get(path)).json()).toMatchObject({ data: [] });
  const { schedule_id: id } = (await api.post(path, fine)).as("Schedule");
  expectError(
    await api.request("PATCH", `${path}/${id}`, { json: { cron: "x" } }),
    400,
    "INVALID_INPUT",
    "cron",
  );
  expectError(
    await api.request("PATCH", `${path}/${id}`, { json: { input: { topic: 1 } } }),
    400,
    "INVALID_INPUT",
    "input.topic",
  );
  expect((await api.get(path)).as("SchedulePage").data[0]).toMatchObject(fine);
});

test("malformed ids are 400, other methods 405, and somebody else's like missing ones", async ({
  api,
  stranger,
  sharedAgent,
  newAgent,
}) => {
  const path = (agent: string, schedule: string) => `/v1/agents/${agent}/schedules/${schedule}`;
  for (const id of MALFORMED_IDS) {
    expectError(await api.delete(path(sharedAgent.agent_id, id)), 400, "INVALID_INPUT");
    expectError(await api.get(`/v1/agents/${id}/schedules`), 400, "INVALID_INPUT");
  }
  const refused = await api.get(path(sharedAgent.agent_id, UNKNOWN_ID));
  expectError(refused, 405, "METHOD_NOT_ALLOWED");
  expect(refused.header("allow")?.split(", ").sort()).toEqual(["DELETE", "PATCH"]);
  const theirs = await newAgent({}, stranger.api);
  const { schedule_id: id } = (
    await stranger.api.post(`/v1/agents/${theirs.agent_id}/schedules`, DAILY)
  ).as("Schedule");
  expectSameAnswer(
    await api.get(`/v1/agents/${theirs.agent_id}/schedules`),
    await api.get(`/v1/agents/${UNKNOWN_ID}/schedules`),
    404,
  );
  expectSameAnswer(
    await api.post(`/v1/agents/${theirs.agent_id}/schedules`, DAILY),
    await api.post(`/v1/agents/${UNKNOWN_ID}/schedules`, DAILY),
    404,
  );
  for (const agent of [theirs.agent_id, UNKNOWN_ID])
    expectSameAnswer(
      await api.delete(path(agent, id)),
      await api.delete(path(UNKNOWN_ID, UNKNOWN_ID)),
      404,
    );
  expectSameAnswer(
    await api.delete(path(sharedAgent.agent_id, id)),
    await api.delete(path(sharedAgent.agent_id, UNKNOWN_ID)),
    404,
  );
  const patch = { json: { enabled: false } };
  expectSameAnswer(
    await api.request("PATCH", path(sharedAgent.agent_id, id), patch),
    await api.request("PATCH", path(sharedAgent.agent_id, UNKNOWN_ID), patch),
    404,
  );
});

test("each write of a schedule is an hourly write, and a refused one is none", async ({
  newAccount,
  newAgent,
}) => {
  const { api } = await newAccount({ writePerHour: 2 });
  const agent = await newAgent({}, api); // the first
  const path = `/v1/agents/${agent.agent_id}/schedules`;
  expectError(await api.post(path, { ...DAILY, cron: "x" }), 400, "INVALID_INPUT");
  const { schedule_id: id } = (await api.post(path, DAILY)).as("Schedule");
  const body = expectError(
    await api.request("PATCH", `${path}/${id}`, { json: { cron: "1 1 * * *" } }),
    429,
    "RATE_LIMITED",
  );
  expect(body).toMatchObject({ retryAfterSeconds: expect.any(Number) });
  expectError(await api.delete(`${path}/${id}`), 429, "RATE_LIMITED");
  expect((await api.get(path)).as("SchedulePage").data[0]).toMatchObject(DAILY);
});
