import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import { getRun } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "scripted",
  DEFAULT_MODEL: "compatible/scripted",
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let script: (call: number) => ScriptedTurn;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  injectModel(
    scriptedModel("compatible/scripted", (shown) => {
      seen.push(shown);
      return script(seen.length - 1);
    }),
  );
});
beforeEach(async () => {
  seen = [];
  owner = await database.account();
});
afterAll(() => database.close());

const todo = (text: string): ScriptedTurn => ({
  call: { name: "todo", input: { items: [{ text, done: false }] } },
});

async function play(says: typeof script, limits: AgentConfig["limits"] = {}) {
  script = says;
  const agent = await newAgent(owner);
  await updateAgent(owner, agent.id, { config: { version: 1, limits } });
  const { id } = await startTestRun(owner, { agentId: agent.id });
  for (let turn = 0; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) return getRun(owner, id);
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
}
const endOf = (turn: SeenTurn | undefined) => JSON.stringify(turn?.prompt.at(-1));

test("a run's last turn is for the answer: the model is told, and has no tools", async () => {
  const run = await play(
    (call) => (call < 3 ? todo(`step ${call}`) : { text: "So far: three steps." }),
    { max_steps: 4 },
  );
  expect(run).toMatchObject({ status: "completed", result: { text: "So far: three steps." } });
  expect(seen.map(({ tools }) => tools !== undefined)).toEqual([true, true, true, false]);
  expect(seen[0]?.system).toContain("at most 4 turns");
  expect(endOf(seen[0])).not.toContain("turns left");
  expect(endOf(seen[2])).toContain("You have 2 turns left");
  expect(endOf(seen[3])).toContain("This is your last turn");
  // What was said before stays where it was said.
  expect(JSON.stringify(seen[3]?.prompt.slice(0, -1))).toContain("You have 2 turns left");
});

test("a model that asks for a tool in its last turn fails the run, uncalled", async () => {
  const run = await play((call) => todo(`step ${call}`), { max_steps: 3 });
  expect(run).toMatchObject({ status: "failed", error: { code: "STEP_LIMIT_EXCEEDED" } });
  expect(seen).toHaveLength(3);
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS made FROM run_tool_results WHERE run_id = $1",
    [run.id],
  );
  expect(rows).toEqual([{ made: 2 }]);
});

test("a call repeated with the same result is told so the third time, not made", async () => {
  const run = await play((call) => (call < 3 ? todo("again") : { text: "I stop here." }));
  expect(run).toMatchObject({ status: "completed", result: { text: "I stop here." } });
  expect(endOf(seen[2])).not.toContain("same call");
  expect(endOf(seen[3])).toContain("same call");
  expect(seen[3]?.tools).toBeDefined();
});

test("a model that goes on repeating itself has one more turn, to answer", async () => {
  expect(await play((call) => (call < 4 ? todo("again") : { text: "All right." }))).toMatchObject({
    status: "completed",
  });
  expect(seen).toHaveLength(5);
  expect(seen[4]?.tools).toBeUndefined();
  seen = [];
  const run = await play(() => todo("again"));
  expect(run).toMatchObject({
    status: "failed",
    error: { code: "STEP_LIMIT_EXCEEDED", message: expect.stringContaining("same call") },
  });
  expect(seen).toHaveLength(5);
});

test("the same call between others is made each time, while these are new", async () => {
  await play((call) => (call < 9 ? todo(call % 2 === 0 ? "a" : `b${call}`) : { text: "Done." }));
  expect(JSON.stringify(seen.at(-1)?.prompt)).not.toContain("same call");
});

test("a circle of two same calls is told so in its third round, then answers", async () => {
  const run = await play((call) =>
    call < 6 ? todo(call % 2 === 0 ? "a" : "b") : { text: "I stop here." },
  );
  expect(run).toMatchObject({ status: "completed", result: { text: "I stop here." } });
  expect(JSON.stringify(seen[4]?.prompt)).not.toContain("same call");
  expect(endOf(seen[5])).toContain("same call");
  expect(seen).toHaveLength(7);
  expect(seen[6]?.tools).toBeUndefined();
});
