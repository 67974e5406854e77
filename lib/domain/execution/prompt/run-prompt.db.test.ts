import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { readRunPrompts, readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import { getRun } from "@/lib/domain/runs/run-view";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

// What a run's model is shown stays what it was: `scriptedModel` itself holds each prompt to begin
// with the whole one before it.

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "scripted,second",
  DEFAULT_MODEL: "compatible/scripted",
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let script: (turn: number) => ScriptedTurn | Promise<ScriptedTurn>;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  for (const id of ["compatible/scripted", "compatible/second"])
    injectModel(
      scriptedModel(id, (shown) => {
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

/** An agent whose second version has this skill. */
async function agentWith(skillContent: string) {
  const agent = await newAgent(owner);
  await updateAgent(owner, agent.id, { skillContent });
  return agent;
}

const note = (text: string): ScriptedTurn => ({
  call: { name: "todo", input: { items: [{ text, status: "pending" }] } },
});
const says = (turn: SeenTurn | undefined) =>
  JSON.stringify(turn?.prompt.filter(({ role }) => role !== "system"));
const endOf = (turn: SeenTurn | undefined) => JSON.stringify(turn?.prompt.at(-1));

/** Drives a run as the engine does. */
async function play(id: string, from = 0): Promise<void> {
  for (let turn = from; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) return;
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
}

test("an edit beside a run at work leaves the run, which says its version", async () => {
  const agent = await agentWith("# FIRST");
  const { id } = await startTestRun(owner, { agentId: agent.id });
  expect(await getRun(owner, id)).toMatchObject({ agentVersion: null });
  script = async (turn) => {
    if (turn > 0) return { text: "Done." };
    await updateAgent(owner, agent.id, {
      skillContent: "# SECOND",
      config: { version: 1, tools: { builtin: [] }, output_schema: { type: "object" } },
    });
    return note("Look");
  };
  await play(id);
  expect(await getRun(owner, id)).toMatchObject({
    status: "completed",
    agentVersion: 2,
    result: { text: "Done." },
  });
  expect(seen.map(({ system }) => system.includes("# FIRST"))).toEqual([true, true]);
  expect(seen[1]?.tools).toEqual(seen[0]?.tools);
  const later = await startTestRun(owner, { agentId: agent.id });
  script = () => ({ text: "{}" });
  await play(later.id);
  expect(seen.at(-1)?.system).toContain("# SECOND");
  expect(await getRun(owner, later.id)).toMatchObject({ agentVersion: 3 });
});

test("a version by which a run works outlives the cap of versions", async () => {
  await database.pool.query("UPDATE accounts SET row_caps = $2 WHERE id = $1", [
    owner.accountId,
    JSON.stringify({ versions: 2 }),
  ]);
  const agent = await agentWith("# FIRST");
  const { id } = await startTestRun(owner, { agentId: agent.id });
  script = async (turn) => {
    if (turn > 0) return { text: "Done." };
    for (const skillContent of ["# A", "# B", "# C"])
      await updateAgent(owner, agent.id, { skillContent });
    return note("Look");
  };
  await play(id);
  expect(await getRun(owner, id)).toMatchObject({ status: "completed", agentVersion: 2 });
});

test("what changes around a run is told after all it was shown, and stays there", async () => {
  const agent = await newAgent(owner);
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO workspaces (id, account_id, name, description, updated_at)
     VALUES (gen_random_uuid(), $1, 'Sales', '', now()) RETURNING id`,
    [owner.accountId],
  );
  const workspaceId = rows[0]?.id ?? "";
  await database.pool.query(
    "INSERT INTO workspace_agents (workspace_id, agent_id) VALUES ($1, $2)",
    [workspaceId, agent.id],
  );
  const { id } = await startTestRun(owner, { agentId: agent.id, workspaceId });
  const write = (path: string): ScriptedTurn => ({
    call: { name: "files_write", input: { path, content: "x" } },
  });
  script = (turn) => [write("a.md"), note("One"), { text: "Done." }][turn] ?? { text: "Done." };
  await play(id);
  expect(seen[0]?.system).not.toContain("Sales");
  expect(says(seen[0])).toContain('\\"Sales\\" with 0 files');
  expect(endOf(seen[1])).toContain("The workspace has 1 file now.");
  expect(endOf(seen[2])).not.toContain("The workspace has");
  expect(says(seen[2])).toContain("The workspace has 1 file now.");
});

test("another process that goes on with a run shows its model the same, to the byte", async () => {
  const agent = await newAgent(owner);
  const { id } = await startTestRun(owner, { agentId: agent.id });
  script = (turn) =>
    turn < 2
      ? {
          call: {
            name: "run_javascript",
            input: { code: `({longest: ${turn}, a: {zz: 1, b: 2}})` },
          },
        }
      : { text: "Done." };
  await play(id);
  expect(seen).toHaveLength(3);
  // What was frozen, and what was told, is what is stored: computed anew it would say otherwise.
  const { rows } = await database.pool.query<{ system: string; tools: string }>(
    `SELECT p.system, p.tools FROM run_prompts f JOIN prompts p ON p.account_id = f.account_id
       AND p.hash = f.hash WHERE f.run_id = $1`,
    [id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.system).toBe(seen[0]?.system);
  expect(rows[0]?.tools).toBe(JSON.stringify(seen[0]?.tools));
});

test("runs shown the same share one row, which nobody sweeps while one names it", async () => {
  const agent = await newAgent(owner);
  script = () => ({ text: "Done." });
  for (let index = 0; index < 3; index++)
    await play((await startTestRun(owner, { agentId: agent.id })).id);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS runs, count(DISTINCT f.hash)::int AS hashes,
       (SELECT count(*)::int FROM prompts p WHERE p.account_id = $1) AS prompts FROM run_prompts f
     WHERE f.account_id = $1`,
    [owner.accountId],
  );
  expect(rows).toEqual([{ runs: 3, hashes: 1, prompts: 1 }]);
});

test("a run of an older version freezes what it is shown at its next turn", async () => {
  const agent = await newAgent(owner);
  const { id } = await startTestRun(owner, { agentId: agent.id });
  script = (turn) => (turn < 2 ? note(String(turn)) : { text: "Done." });
  const first = await runTurn(id, 0);
  if (first.done) throw new Error("it has a call to make");
  for (const { toolCallId } of first.calls) await callTool(id, 0, toolCallId);
  await database.pool.query("DELETE FROM run_prompts WHERE run_id = $1", [id]);
  await database.pool.query("UPDATE run_turns SET told = NULL WHERE run_id = $1", [id]);
  // Another model, which has not seen how it began.
  await database.pool.query(
    "UPDATE runs SET agent_version = NULL, model = 'compatible/second' WHERE id = $1",
    [id],
  );
  await play(id, 1);
  expect(await getRun(owner, id)).toMatchObject({ status: "completed", agentVersion: 1 });
  expect(endOf(seen[1])).toContain("<time>");
  const [prompt] = await readRunPrompts(owner, id);
  expect(prompt).toMatchObject({ turn: 1, system: seen[1]?.system });
});

test("the trace shows what a model was shown and told, without secrets", async () => {
  const agent = await agentWith("# Scout\nSay token-abcdef123456.");
  await createSecret(owner, {
    name: "TOKEN",
    value: "token-abcdef123456",
    description: null,
    allowedHosts: ["example.com"],
  });
  const { id } = await startTestRun(owner, { agentId: agent.id });
  script = (turn) => (turn < 1 ? note("Look") : { text: "Done." });
  await play(id);
  const [prompt, ...others] = await readRunPrompts(owner, id);
  expect(others).toEqual([]);
  expect(prompt).toMatchObject({ turn: 0, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(prompt?.system).toContain("# Scout\nSay [redacted].");
  expect(JSON.stringify(prompt?.tools)).toContain('"name":"todo"');
  const model = (await readRunTrace(owner, id)).find(({ spanId }) => spanId === "model-0");
  expect(JSON.stringify(model?.input)).toContain("<time>");
  await expect(readRunPrompts(await database.account(), id)).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
  });
});

test("the last turn's words about what is left stay where they were said", async () => {
  const agent = await newAgent(owner);
  await updateAgent(owner, agent.id, { config: { version: 1, limits: { max_steps: 4 } } });
  const { id } = await startTestRun(owner, { agentId: agent.id });
  script = (turn) => (turn < 3 ? note(String(turn)) : { text: "Done." });
  await play(id);
  expect(endOf(seen[3])).toContain("This is your last turn");
  expect(says(seen[3])).toContain("You have 3 turns left");
  expect(says(seen[3])).toContain("You have 2 turns left");
});
