import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { requestAgentCreation } from "@/lib/domain/builds/request-agent-creation";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import { addCase, deleteCase, listCases } from "@/lib/domain/datasets/agent-cases";
import type { Principal } from "@/lib/domain/principal";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { executeRun } from "@/lib/jobs/execute-run";
import { newCaseSchema } from "@/lib/model/evaluation/cases";
import { isTerminal } from "@/lib/model/run/run-status";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
let builder: (seen: SeenTurn) => ScriptedTurn;
/** How often the agent itself was run, by the first line of its skill. */
let runs: string[];

beforeAll(async () => {
  database = await openDomainDatabase();
  injectModel(
    scriptedModel("builtin/offline", (seen) => {
      if (/^You (design|edit)/.test(seen.system)) return builder(seen);
      // It says of the request what its skill says, as a model that obeys.
      const skill = /<skill>\n(.*)/.exec(seen.system)?.[1] ?? "";
      runs.push(skill);
      const asked = JSON.stringify(seen.prompt.findLast(({ role }) => role === "user")?.content);
      return { text: `${skill} ${asked}` };
    }),
  );
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 20,
  });
});
beforeEach(async () => {
  owner = await database.account();
  runs = [];
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
});

const greeter = async () =>
  updateAgent(owner, (await newAgent(owner)).id, { skillContent: "Say hello." });
const oneCase = (name: string, checks: object[], input: object = { request: `For ${name}.` }) =>
  newCaseSchema.parse({ name, input, checks });
const turnOf = ({ prompt }: SeenTurn) => prompt.filter(({ role }) => role === "tool").length;
const told = ({ prompt }: SeenTurn) =>
  JSON.stringify(prompt.findLast(({ role }) => role === "tool")?.content);

async function done(run: RunView | { replayed: unknown }): Promise<RunView> {
  if ("replayed" in run) throw new Error("there is no key to replay");
  await expect.poll(async () => isTerminal((await getRun(owner, run.id)).status)).toBe(true);
  return getRun(owner, run.id);
}

const edit = async (agentId: string, text = "Say moin.") =>
  done(
    await requestAgentEdit(owner, agentId, {
      text,
      conversationId: null,
      webhookUrl: null,
      releaseNote: null,
    }),
  );

test("a builder's cases are kept with its agent, once they fit; misfits are told", async () => {
  const results: string[] = [];
  const cases = [
    {
      name: "Plain",
      input: { request: "Greet Ann." },
      checks: [{ type: "contains", value: "ann" }],
    },
  ];
  builder = (seen) => {
    if (turnOf(seen) > 0) results.push(told(seen));
    const draft = {
      name: "create_agent",
      input: {
        name: "Greeter",
        description: "Greets.",
        skill_content: "Say hello.",
        config: {
          version: 1,
          inputs: {
            type: "object",
            properties: { request: { type: "string" } },
            required: ["request"],
          },
        },
        write_autonomy: "blocked",
      },
    };
    if (turnOf(seen) === 0) return { call: draft };
    const bad = [{ name: "Odd", input: { request: 7 }, checks: [{ type: "sounds_nice" }] }];
    const misfit = [{ ...cases[0], input: {} }];
    const wanted = [bad, misfit, cases][turnOf(seen) - 1];
    return {
      call: { name: "finish", input: { outcome: "built", text: "It greets.", cases: wanted } },
    };
  };
  const run = await done(
    await requestAgentCreation(owner, { text: "Greet.", conversationId: null, webhookUrl: null }),
  );
  expect(run.status).toBe("completed");
  expect(results[1]).toContain("cases.0.checks");
  expect(results[2]).toContain("cases.0.input");
  expect(await listCases(owner.accountId, String(run.agentId))).toMatchObject([
    { name: "Plain", source: "builder", checks: cases[0]?.checks },
  ]);
});

test("an edit runs the agent's cases before and after: model and person hear", async () => {
  const agent = await greeter();
  await addCase(owner, agent.id, oneCase("Ann", [{ type: "contains", value: "hello" }]));
  await addCase(owner, agent.id, oneCase("Bob", [{ type: "contains", value: "bob" }]));
  await addCase(owner, agent.id, oneCase("Never", [{ type: "equals", value: "!" }]));
  const results: string[] = [];
  builder = (seen) => {
    if (turnOf(seen) > 0) results.push(told(seen));
    const finish = { name: "finish", input: { outcome: "built", text: "It says moin." } };
    return turnOf(seen) === 0
      ? {
          call: {
            name: "edit_agent",
            input: { skill_edits: [{ old: "hello", new: "moin" }], summary: "Moin." },
          },
        }
      : { call: finish };
  };
  const run = await edit(agent.id);
  expect(results).toHaveLength(2);
  expect(results[1]).toContain("Ann: contains");
  expect(results[1]).not.toContain("Never");
  expect(run.result).toMatchObject({
    build: {
      outcome: "built",
      cases: {
        before: { passed: 2, of: 3 },
        after: { passed: 1, of: 3 },
        failed: ["Ann", "Never"],
      },
    },
    text: expect.stringContaining("Cases: 2 of 3 before, 1 of 3 now. Failing now: Ann, Never."),
  });
  // What ran for the first finish is not run again for the second.
  expect(runs).toHaveLength(6);
  const keys = await database.pool.query(
    "SELECT step_key FROM run_usage WHERE run_id = $1 AND step_key LIKE 'case-%'",
    [run.id],
  );
  expect(keys.rowCount).toBe(6);
});

test("an edit that touches nothing of cases runs none, nor does one unstored", async () => {
  const agent = await greeter();
  await addCase(owner, agent.id, oneCase("Ann", [{ type: "contains", value: "hello" }]));
  builder = () => ({
    call: { name: "edit_agent", input: { name: "Another", summary: "Renamed." } },
    calls: [{ name: "finish", input: { outcome: "built", text: "Renamed." } }],
  });
  const renamed = await edit(agent.id, "Call it Another.");
  expect(renamed.result?.build).not.toHaveProperty("cases");
  builder = () => ({ call: { name: "finish", input: { outcome: "refused", text: "No." } } });
  await edit(agent.id);
  expect(runs).toEqual([]);
});

test("where nothing is left to pay for cases, the change is stored and says so", async () => {
  const agent = await greeter();
  await addCase(owner, agent.id, oneCase("Ann", [{ type: "contains", value: "hello" }]));
  builder = () => ({
    call: {
      name: "edit_agent",
      input: { skill_content: "Say moin.", summary: "Moin." },
    },
    calls: [{ name: "finish", input: { outcome: "built", text: "Moin." } }],
    usage: { input: 10, output: 28_500 },
  });
  const asked = await requestAgentEdit(owner, agent.id, {
    text: "Say moin.",
    conversationId: null,
    webhookUrl: null,
    releaseNote: null,
    maxCreditsMicros: 3_000_000n,
  });
  const run = await done(asked);
  expect(run).toMatchObject({
    status: "completed",
    result: { text: expect.stringContaining("1 could not be run") },
  });
});

test("an agent has twelve cases at most, each name once, its account's alone", async () => {
  const agent = await newAgent(owner);
  const added = Array.from({ length: 12 }, (_, index) =>
    oneCase(`Case ${index}`, [{ type: "contains", value: "x" }]),
  );
  for (const one of added) await addCase(owner, agent.id, one);
  const again = oneCase("Case 3", [{ type: "not_contains", value: "y" }]);
  await addCase(owner, agent.id, again);
  await expect(
    addCase(owner, agent.id, oneCase("More", [{ type: "contains", value: "x" }])),
  ).rejects.toMatchObject({ code: "CONFLICT" });
  const cases = await listCases(owner.accountId, agent.id);
  expect(cases).toHaveLength(12);
  expect(cases.find(({ name }) => name === "Case 3")).toMatchObject({ checks: again.checks });
  const stranger = await database.account();
  expect(await listCases(stranger.accountId, agent.id)).toEqual([]);
  await expect(deleteCase(stranger, agent.id, String(cases[0]?.id))).rejects.toMatchObject({
    code: "CASE_NOT_FOUND",
  });
  await expect(addCase(stranger, agent.id, again)).rejects.toMatchObject({
    code: "AGENT_NOT_FOUND",
  });
  await deleteCase(owner, agent.id, String(cases[0]?.id));
  expect(await listCases(owner.accountId, agent.id)).toHaveLength(11);
  await archiveAgent(owner, agent.id);
  expect(await listCases(owner.accountId, agent.id)).toHaveLength(11);
});
