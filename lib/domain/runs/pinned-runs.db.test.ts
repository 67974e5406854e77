import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findKeyVersion } from "@/lib/domain/agents/get-agent-version";
import { listRunnableAgents } from "@/lib/domain/agents/runnable-agents";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import { listKeys } from "@/lib/domain/keys/key-view";
import { rotateKey } from "@/lib/domain/keys/rotate-key";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import { messageRun } from "@/lib/domain/runs/message-run";
import { getRun } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { newId } from "@/lib/platform/ids";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";
import type { Agent } from "@/lib/storage/generated/client";

let database: DomainDatabase;
let owner: Principal;
let agent: Agent;
let seen: SeenTurn[];
let turns: ScriptedTurn[];

const inputs = (name: string) => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
});

beforeAll(async () => {
  database = await openDomainDatabase();
  injectModel(
    scriptedModel("builtin/offline", (shown) => {
      seen.push(shown);
      return turns.shift() ?? { text: "Done." };
    }),
  );
});
beforeEach(async () => {
  [seen, turns] = [[], []];
  owner = await database.account();
  agent = await newAgent(owner, "config: {version: 1, inputs: {type: object, required: [old]}}\n");
  await updateAgent(owner, agent.id, {
    version: "2.0.0",
    skillContent: "Say it in French.",
    config: { version: 1, inputs: inputs("fresh") },
  });
});
afterAll(() => database.close());

const start = (more: object, by = owner) => startTestRun(by, { agentId: agent.id, ...more });
const refused = (work: Promise<unknown>) =>
  work.then(
    () => "taken",
    (error) => [error.code, error.extras?.details?.[0]?.path].filter(Boolean).join(" "),
  );
const spokeFrench = () => seen.map(({ prompt }) => JSON.stringify(prompt).includes("in French"));

test.each([
  ["its label", () => "1.0.0"],
  ["its id", () => agent.currentVersionId],
  ["its number", () => 1],
])(
  "a run that names a version by %s works by that one, whatever its agent is by now",
  async (_, name) => {
    const run = await start({ version: name(), input: { old: "x" } });
    expect(run).toMatchObject({ agentVersion: 1 });
    await runTurn(run.id, 0);
    expect(spokeFrench()).toEqual([false]);
    expect(await getRun(owner, run.id)).toMatchObject({ status: "completed", agentVersion: 1 });
  },
);

test("the input is held to the inputs of the version that is named", async () => {
  expect(await refused(start({ version: 1, input: { fresh: "x" } }))).toBe(
    "INVALID_INPUT input.old",
  );
  expect(await refused(start({ input: { old: "x" } }))).toBe("INVALID_INPUT input.fresh");
  expect(await refused(start({ version: "2.0.0", input: { fresh: "x" } }))).toBe("taken");
});

test("of several versions with one label it is the newest", async () => {
  await updateAgent(owner, agent.id, { skillContent: "Third, of the same label." });
  expect(await start({ version: "2.0.0", input: { fresh: "x" } })).toMatchObject({
    agentVersion: 3,
  });
});

test("a version not the agent's own is not there, and without agents is none", async () => {
  const other = await newAgent(owner);
  const theirs = await newAgent(await database.account());
  const fine = { input: { old: "x", fresh: "x" } };
  for (const version of ["9.9.9", 3, newId(), other.currentVersionId, theirs.currentVersionId])
    expect(await refused(start({ ...fine, version }))).toBe("VERSION_NOT_FOUND");
  expect(await refused(startTestRun(owner, { version: 1 }))).toBe("INVALID_INPUT version");
  const { rows } = await database.pool.query("SELECT 1 FROM runs WHERE account_id = $1", [
    owner.accountId,
  ]);
  expect(rows).toEqual([]);
});

test("each run says by which version it began, and works by that", async () => {
  const run = await start({ input: { fresh: "x" } });
  expect(run.agentVersion).toBeNull();
  turns = [{ call: { name: "todo", input: { items: [{ text: "a", done: true }] } } }];
  const first = await runTurn(run.id, 0);
  if (first.done) throw new Error("it has ended");
  expect(await getRun(owner, run.id)).toMatchObject({ status: "running", agentVersion: 2 });
  await updateAgent(owner, agent.id, { skillContent: "Say it in Greek." });
  for (const { toolCallId } of first.calls) await callTool(run.id, 0, toolCallId);
  await runTurn(run.id, 1);
  expect(spokeFrench()).toEqual([true, true]);
  expect(await getRun(owner, run.id)).toMatchObject({ status: "completed", agentVersion: 2 });
  const general = await startTestRun(owner);
  await runTurn(general.id, 0);
  expect((await getRun(owner, general.id)).agentVersion).toBeNull();
});

test("what is said for later keeps to the run's version, or the present agent", async () => {
  const old = await newAgent(owner, "config: {version: 1}\n");
  await updateAgent(owner, old.id, { config: { version: 1, inputs: inputs("first") } });
  await updateAgent(owner, old.id, { config: { version: 1, inputs: inputs("second") } });
  const after = async (more: object) => {
    const run = await startTestRun(owner, { agentId: old.id, ...more });
    turns = [{ call: { name: "todo", input: { items: [{ text: "a", done: true }] } } }];
    // From its first turn on every run has a version: that it was named must be known all the same.
    await runTurn(run.id, 0);
    const sent = await messageRun(owner, run.id, { input: "go on", when: "after" });
    if ("replayed" in sent || sent.nextRunId === null) throw new Error("it becomes a run");
    return getRun(owner, sent.nextRunId);
  };
  expect(await after({ version: 2, input: { first: "x" } })).toMatchObject({
    agentVersion: 2,
    input: { first: "go on" },
  });
  expect(await after({ input: { second: "x" } })).toMatchObject({
    agentVersion: null,
    input: { second: "go on" },
  });
});

test("an app key for a version starts runs in it, with its inputs, its successor too", async () => {
  const key = await createKey(owner, {
    name: "k",
    agentId: agent.id,
    agentVersion: await findKeyVersion(owner, agent.id, "1.0.0"),
    expiresAt: null,
  });
  const successor = await rotateKey(owner, key.id, 60);
  for (const { apiKey } of [key, successor]) {
    const entry = await authenticateKey(apiKey, "app", "run");
    if (!entry) throw new Error("the key is not known");
    const run = await startTestRun(
      entry.principal,
      { agentId: agent.id, input: { old: "x" } },
      "app",
    );
    expect(run.agentVersion).toBe(1);
    const { data } = await listRunnableAgents(entry.principal, { limit: 1, cursor: null });
    expect(data).toMatchObject([{ id: agent.id, inputs: { required: ["old"] } }]);
  }
  const { data } = await listKeys(owner, { limit: 10, cursor: null }, agent.id);
  expect(data.map(({ agentVersion }) => agentVersion)).toEqual([1, 1]);
  for (const [version, code] of [
    ["9.9.9", "VERSION_NOT_FOUND"],
    [3, "VERSION_NOT_FOUND"],
  ] as const)
    expect(await refused(findKeyVersion(owner, agent.id, version))).toBe(code);
  expect(await refused(findKeyVersion(owner, null, 1))).toBe("INVALID_INPUT version");
});
