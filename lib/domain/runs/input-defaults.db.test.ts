import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import type { Principal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { getRun } from "@/lib/domain/runs/run-view";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

async function agentWith(inputs: Record<string, unknown>) {
  const agent = await newAgent(owner);
  return updateAgent(owner, agent.id, { config: { version: 1, inputs } });
}
const INPUTS = {
  type: "object",
  properties: {
    topic: { type: "string" },
    months: { type: "integer", default: 24 },
    form: { enum: ["short", "long"], default: "short" },
  },
  required: ["topic", "form"],
};

test("what an input leaves out has its default in the run; the conversation as said", async () => {
  const agent = await agentWith(INPUTS);
  for (const kind of ["agent", "app"] as const) {
    const { id } = await startTestRun(owner, { agentId: agent.id, input: { topic: "x" } }, kind);
    expect((await getRun(owner, id)).input).toEqual({ topic: "x", months: 24, form: "short" });
    const { rows } = await database.pool.query("SELECT text FROM messages WHERE run_id = $1", [id]);
    expect(rows).toEqual([{ text: "x" }]);
  }
});

test("what is said stays, and what is missing and has no default is refused", async () => {
  const agent = await agentWith(INPUTS);
  const said = { topic: "x", months: 3, form: "long" };
  const { id } = await startTestRun(owner, { agentId: agent.id, input: said });
  expect((await getRun(owner, id)).input).toEqual(said);
  await expect(
    startTestRun(owner, { agentId: agent.id, input: { months: 1 } }),
  ).rejects.toMatchObject({
    code: "INVALID_INPUT",
    extras: { details: [{ path: "input.topic" }] },
  });
});

test("a default that does not fit its own schema is left out", async () => {
  const agent = await agentWith({
    type: "object",
    properties: { note: { type: "string", default: null } },
  });
  const { id } = await startTestRun(owner, { agentId: agent.id, input: {} });
  expect((await getRun(owner, id)).input).toEqual({});
});

test("a schedule may leave out defaults, and its run tells the time of its zone", async () => {
  const agent = await agentWith(INPUTS);
  const schedule = await createSchedule(owner, agent.id, {
    cron: "0 9 * * *",
    timezone: "Asia/Kolkata",
    input: { topic: "x" },
    enabled: true,
  });
  const { id } = await startTestRun(owner, {
    agentId: agent.id,
    input: { topic: "x" },
    scheduleId: schedule.id,
  });
  expect((await loadRun(id)).zone).toBe("Asia/Kolkata");
  const plain = await startTestRun(owner, { agentId: agent.id, input: { topic: "x" } });
  expect((await loadRun(plain.id)).zone).toBe("UTC");
});
