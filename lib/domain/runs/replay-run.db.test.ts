import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { requestAgentCreation } from "@/lib/domain/builds/request-agent-creation";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { type ReplayChanges, replayRun } from "@/lib/domain/runs/replay-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { newId } from "@/lib/platform/ids";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "first,second",
  DEFAULT_MODEL: "compatible/first",
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let turns: ScriptedTurn[];

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  for (const name of ["first", "second"])
    injectModel(
      scriptedModel(`compatible/${name}`, (shown) => {
        seen.push(shown);
        return turns.shift() ?? { text: `Answer ${seen.length}.` };
      }),
    );
});
beforeEach(async () => {
  [seen, turns] = [[], []];
  owner = await database.account();
});
afterAll(() => database.close());

async function replay(
  run: { id: string },
  changes: Partial<ReplayChanges> = {},
  by = owner,
): Promise<RunView> {
  const none = {
    model: null,
    version: null,
    webhookUrl: null,
    shouldNotify: false,
    metadata: null,
    maxCreditsMicros: null,
  };
  const made = await replayRun(by, run.id, { ...none, ...changes });
  if ("replayed" in made) throw new Error("There is no key to replay.");
  return made;
}

const refused = (work: Promise<unknown>) =>
  work.then(
    () => "taken",
    (error) => error.code,
  );

test("a replay has the run's input, metadata and limit, and its own answer and cost", async () => {
  const run = await startTestRun(owner, {
    input: { request: "Count." },
    metadata: { customer: "c" },
    maxCreditsMicros: 9_000_000n,
  });
  await runTurn(run.id, 0);
  const again = await replay(run, { model: "compatible/second" });
  expect(again).toMatchObject({
    status: "pending",
    replayedFrom: run.id,
    agentVersion: null,
    model: "compatible/second",
  });
  expect(again.conversationId).not.toBe(run.conversationId);
  await runTurn(again.id, 0);
  expect(await getRun(owner, again.id)).toMatchObject({
    status: "completed",
    input: { request: "Count." },
    metadata: { customer: "c" },
    replayedFrom: run.id,
    result: { text: "Answer 2." },
  });
  const { rows } = await database.pool.query("SELECT max_credits_micros FROM runs WHERE id = $1", [
    again.id,
  ]);
  expect(rows).toEqual([{ max_credits_micros: "9000000" }]);
  expect((await getRun(owner, run.id)).result?.text).toBe("Answer 1.");
});

test("a replay on a version works by its words and model; the agent stays", async () => {
  const agent = await newAgent(owner, "config: {version: 1, model: compatible/second}\n");
  const run = await startTestRun(owner, { agentId: agent.id });
  await updateAgent(owner, agent.id, {
    skillContent: "Say it in French.",
    config: { version: 1, model: "compatible/first" },
  });
  await runTurn(run.id, 0);
  const old = await replay(run, { version: 1 });
  expect(old).toMatchObject({ agentVersion: 1, model: "compatible/second" });
  await runTurn(old.id, 0);
  const now = await replay(run);
  expect(now).toMatchObject({ agentVersion: null, model: "compatible/second" });
  await runTurn(now.id, 0);
  const systems = seen.map(({ prompt }) => JSON.stringify(prompt[0]).includes("French"));
  expect(systems).toEqual([true, false, true]);
  const { rows } = await database.pool.query(
    "SELECT agent_version_id FROM run_turns WHERE run_id = $1",
    [old.id],
  );
  expect(rows).toEqual([{ agent_version_id: agent.currentVersionId }]);
});

test("a version gone before the replay's start fails it: none takes its place", async () => {
  const agent = await newAgent(owner);
  const run = await startTestRun(owner, { agentId: agent.id });
  await runTurn(run.id, 0);
  await updateAgent(owner, agent.id, { skillContent: "Other." });
  const again = await replay(run, { version: 1 });
  await database.pool.query("DELETE FROM agent_versions WHERE agent_id = $1 AND number = 1", [
    agent.id,
  ]);
  await runTurn(again.id, 0);
  expect(await getRun(owner, again.id)).toMatchObject({
    status: "failed",
    error: { message: expect.stringContaining("Version 1 of the agent") },
  });
  expect(seen).toHaveLength(1);
});

/** Drives a run to its end as the engine does. */
async function play(run: RunView, ...script: ScriptedTurn[]): Promise<RunView> {
  turns = script;
  for (let turn = 0; ; turn++) {
    const next = await runTurn(run.id, turn);
    if (next.done) return run;
    for (const { toolCallId } of next.calls) await callTool(run.id, turn, toolCallId);
  }
}

const sum = (expression: string): ScriptedTurn => ({
  call: { name: "calculate", input: { expression } },
});

test("a replay, and a replay of it, is shown the first run's conversation", async () => {
  const first = await play(
    await startTestRun(owner, { input: { request: "Alpha" } }),
    sum("1111 * 1"),
  );
  const { conversationId } = first;
  const follow = await play(
    await startTestRun(owner, { input: { request: "Beta" }, conversationId }),
  );
  const shownTo = (index: number) => JSON.stringify(seen.at(index)?.prompt.slice(1));
  const followed = shownTo(-1);
  await play(
    await startTestRun(owner, { input: { request: "Gamma" }, conversationId }),
    sum("7777 * 1"),
  );
  expect(shownTo(-1)).toContain("7777");
  const again = await play(await replay(follow));
  const replayed = shownTo(-1);
  await play(await replay(again));
  for (const text of ["Alpha", "1111", "Beta"]) expect(followed).toContain(text);
  expect(replayed).toBe(followed);
  expect(shownTo(-1)).toBe(followed);
});

test("what cannot be replayed is refused by name, and nothing starts", async () => {
  const agent = await newAgent(owner);
  const atWork = await startTestRun(owner, { agentId: agent.id });
  expect(await refused(replay(atWork))).toBe("CONFLICT");
  await cancelRun(owner, atWork.id);
  const general = await startTestRun(owner);
  await cancelRun(owner, general.id);
  const creation = await requestAgentCreation(owner, {
    text: "An agent.",
    conversationId: null,
    webhookUrl: null,
    maxCreditsMicros: null,
  });
  if ("replayed" in creation) throw new Error("There is no key to replay.");
  await cancelRun(owner, creation.id);
  const { rows } = await database.pool.query("SELECT count(*)::int AS n FROM runs");
  expect(await refused(replay(creation))).toBe("CONFLICT");
  expect(await refused(replay(general, { version: 1 }))).toBe("INVALID_INPUT");
  expect(await refused(replay(atWork, { version: 99 }))).toBe("VERSION_NOT_FOUND");
  expect(await refused(replay(atWork, { model: "compatible/none" }))).toBe("INVALID_INPUT");
  expect(await refused(replay({ id: newId() }))).toBe("RUN_NOT_FOUND");
  expect(await refused(replay(atWork, {}, await database.account()))).toBe("RUN_NOT_FOUND");
  await database.pool.query("UPDATE agents SET status = 'archived' WHERE id = $1", [agent.id]);
  expect(await refused(replay(atWork))).toBe("CONFLICT");
  expect((await database.pool.query("SELECT count(*)::int AS n FROM runs")).rows).toEqual(rows);
});
