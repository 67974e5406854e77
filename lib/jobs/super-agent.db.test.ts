import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import type { Principal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { listRuns, type RunFilter } from "@/lib/domain/runs/list-runs";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { settleRun } from "@/lib/domain/runs/settle-run";
import { agentsPort } from "@/lib/domain/super-agent/agents-port";
import { cancelOrphans } from "@/lib/domain/super-agent/cancel-children";
import { replaceProductProfile } from "@/lib/domain/super-agent/product-profile";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { readRunEvents } from "@/lib/engine/events/run-log-writer";
import { cancelChildrenOfEnded } from "@/lib/jobs/cancel-children";
import { executeRun } from "@/lib/jobs/execute-run";
import { AGENT_ROUTE_KINDS, type RunKind, SUPER_AGENT_KINDS } from "@/lib/model/run/run-status";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";
import type { Agent } from "@/lib/storage/generated/client";

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
let agent: Agent;
/** What the model says to the super-agent, and to every other run. */
let superScript: (seen: SeenTurn & { turn: number }) => ScriptedTurn | Promise<ScriptedTurn>;
let childScript: (seen: SeenTurn) => ScriptedTurn | Promise<ScriptedTurn>;

beforeAll(async () => {
  database = await openDomainDatabase();
  injectModel(
    scriptedModel("builtin/offline", (seen) => {
      if (!seen.system.includes("super-agent")) return childScript(seen);
      return superScript({
        ...seen,
        turn: seen.prompt.filter((message) => message.role === "tool").length,
      });
    }),
  );
  const functions = [executeRun, cancelChildrenOfEnded];
  executor = await startEmbeddedExecutor({
    functions,
    pool: database.pool,
    concurrency: 20,
  });
});
beforeEach(async () => {
  owner = await database.account({ superAgentAccess: true });
  await database.pool.query("UPDATE accounts SET super_agent_access = true WHERE id = $1", [
    owner.accountId,
  ]);
  agent = await insertTestAgent(owner, { name: "Reporter" });
  superScript = () => ({ text: "nothing to do" });
  childScript = () => ({ text: "the child's answer" });
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
});

const call = (name: string, input: unknown): ScriptedTurn => ({ call: { name, input } });
/** What the last tool answered. */
const lastResult = ({ prompt }: SeenTurn) =>
  JSON.stringify(prompt.findLast((message) => message.role === "tool")?.content);

async function start(maxCreditsMicros: bigint | null = null): Promise<RunView> {
  const run = await requestRun(owner, "super_agent", {
    agentId: null,
    input: { request: "Do it." },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: {},
    maxCreditsMicros,
  });
  if ("replayed" in run) throw new Error("there is no key to replay");
  return run;
}

async function end(runId: string, kinds: readonly RunKind[] = SUPER_AGENT_KINDS): Promise<RunView> {
  for await (const _ of followRunLog(runId, { after: -1, signal: AbortSignal.timeout(25_000) }));
  return getRun(owner, runId, kinds);
}

async function children(): Promise<RunView[]> {
  const filter: RunFilter = {
    kinds: AGENT_ROUTE_KINDS,
    statuses: null,
    agentId: null,
    conversationId: null,
    createdAfter: null,
    createdBefore: null,
    metadata: {},
  };
  return (await listRuns(owner, { limit: 100, cursor: null }, filter)).data;
}

test("it knows the product profile, and its own tools beside the built-in ones", async () => {
  await replaceProductProfile(owner, { name: "Acme Notes", tone: "dry" });
  let system = "";
  superScript = (seen) => {
    system = seen.system;
    return { text: "ok" };
  };
  expect(await end((await start()).id)).toMatchObject({
    kind: "super_agent",
    status: "completed",
    agentId: null,
    result: { text: "ok" },
  });
  expect(system).toContain("Acme Notes");
  expect(system).toContain("dry");
});

test("it lists and runs an agent and sees the answer, by an ordinary run", async () => {
  superScript = (seen) => {
    if (seen.turn === 0) return call("list_agents", {});
    if (seen.turn === 1) {
      expect(lastResult(seen)).toContain(agent.id);
      return call("run_agent", { agent_id: agent.id, input: { text: "go" } });
    }
    expect(lastResult(seen)).toContain("the child's answer");
    return { text: "All done." };
  };
  expect(await end((await start()).id)).toMatchObject({
    status: "completed",
    result: { text: "All done." },
  });
  expect(await children()).toMatchObject([
    { kind: "agent", status: "completed", agentId: agent.id, input: { text: "go" } },
  ]);
});

test("it has an agent created and then edited, and learns the ids and what was done", async () => {
  childScript = ({ system }) =>
    system.startsWith("You design")
      ? call("create_agent", {
          name: "Fresh",
          description: "x",
          skill_content: "Work.",
          config: { version: 1 },
          write_autonomy: "full_auto",
        })
      : call("edit_agent", { name: "Fresher", summary: "Renamed it." });
  let agentId = "";
  superScript = (seen) => {
    if (seen.turn === 0) return call("create_agent", { request: "An agent that is fresh." });
    if (seen.turn === 1) {
      agentId = /"agent_id":"([0-9a-f-]{36})"/.exec(lastResult(seen))?.[1] ?? "";
      return call("edit_agent", { agent_id: agentId, request: "Call it Fresher." });
    }
    expect(lastResult(seen)).toContain("Renamed it.");
    return { text: "made" };
  };
  expect(await end((await start()).id)).toMatchObject({ status: "completed" });
  expect(await requireAgent(owner, agentId)).toMatchObject({ name: "Fresher", version: "1.0.1" });
  expect((await children()).map((run) => run.kind)).toEqual(["agent_edit", "agent_creation"]);
});

test("what the service refuses reaches the model as words and starts nothing", async () => {
  const stranger = await database.account();
  const theirs = await insertTestAgent(stranger);
  const archived = await insertTestAgent(owner);
  await database.pool.query("UPDATE agents SET status = 'archived' WHERE id = $1", [archived.id]);
  const strict = await insertTestAgent(owner, {
    config: { inputs: { type: "object", required: ["topic"] } },
  });
  const tries: [ScriptedTurn, string][] = [
    [call("run_agent", { agent_id: theirs.id, input: {} }), "AGENT_NOT_FOUND"],
    [call("read_agent", { agent_id: theirs.id }), "AGENT_NOT_FOUND"],
    [call("edit_agent", { agent_id: archived.id, request: "x" }), "CONFLICT"],
    [call("run_agent", { agent_id: strict.id, input: {} }), "INVALID_INPUT"],
    [call("run_agent", { agent_id: "not-a-uuid", input: {} }), "no such agent"],
    [call("read_run", { run_id: "not-a-uuid" }), "not started"],
    [call("create_agent", { request: "x", more: 1 }), "do not fit"],
  ];
  const seenErrors: string[] = [];
  superScript = (seen) => {
    if (seen.turn > 0) seenErrors.push(lastResult(seen));
    return tries[seen.turn]?.[0] ?? { text: "gave up" };
  };
  expect(await end((await start()).id)).toMatchObject({
    status: "completed",
    result: { text: "gave up" },
  });
  expect(seenErrors).toHaveLength(tries.length);
  for (const [index, [, words]] of tries.entries()) expect(seenErrors[index]).toContain(words);
  expect(await children()).toEqual([]);
});

test.each([
  ["the hourly cap", "UPDATE accounts SET write_per_hour = 0 WHERE id = $1", "RATE_LIMITED"],
  ["a block", "UPDATE accounts SET blocked = true WHERE id = $1", "ACCOUNT_BLOCKED"],
  ["the allowlist", "UPDATE accounts SET super_agent_access = false WHERE id = $1", "allowlist"],
])("%s holds for what its tools start, from the moment that it is set", async (_, set, words) => {
  let answer = "";
  superScript = async (seen) => {
    if (seen.turn > 0) {
      answer = lastResult(seen);
      return { text: "no" };
    }
    await database.pool.query(set, [owner.accountId]);
    return call("create_agent", { request: "An agent." });
  };
  await end((await start()).id);
  expect(answer).toContain(words);
  expect(await children()).toEqual([]);
});

test("a tool call that is repeated after a crash finds the child that it started", async () => {
  const run = await start();
  const loaded = await loadRun(run.id);
  const port = () => agentsPort(loaded, { toolCallId: "call_1", isResumed: true });
  const first = await port().run(agent.id, { text: "once" });
  await end(first.run_id, AGENT_ROUTE_KINDS);
  expect(await port().run(agent.id, { text: "once" })).toMatchObject({
    run_id: first.run_id,
    text: "the child's answer",
  });
  expect((await children()).map((child) => child.id)).toEqual([first.run_id]);
  expect(await port().readRun(first.run_id)).toMatchObject({
    status: "completed",
    text: "the child's answer",
  });
  const other = await loadRun((await start()).id);
  await expect(
    agentsPort(other, { toolCallId: "call_1", isResumed: true }).readRun(first.run_id),
  ).rejects.toThrow("not started");
  await Promise.all([end(run.id), end(other.id)]);
});

test("max_credits bounds the super-agent and all it starts, builds too", async () => {
  superScript = () => new Promise<ScriptedTurn>(() => {});
  childScript = () => new Promise<ScriptedTurn>(() => {});
  const limit = 50_000_000n;
  const { id } = await start(limit);
  const loaded = await loadRun(id);
  const port = (toolCallId: string) => agentsPort(loaded, { toolCallId, isResumed: true });
  const tries = (round: string) => [
    () => port(`run ${round}`).run(agent.id, {}),
    () => port(`create ${round}`).create("An agent."),
    () => port(`edit ${round}`).edit(agent.id, "Call it Fresher."),
  ];
  const limitsOfChildren = async () => {
    const { rows } = await database.pool.query<{ max_credits_micros: string | null }>(
      "SELECT max_credits_micros FROM runs WHERE parent_run_id = $1 ORDER BY id",
      [id],
    );
    return rows.map(({ max_credits_micros }) =>
      max_credits_micros === null ? null : BigInt(max_credits_micros),
    );
  };
  // What the first ones hold counts, though they have spent nothing.
  for (const start of tries("first")) await start();
  const [first, second, third] = await limitsOfChildren();
  expect(first).toBe(limit);
  expect(second).toBeLessThan(limit);
  expect(third).toBeLessThan(second ?? 0n);
  await database.pool.query(
    `UPDATE credit_holds h SET amount_micros = $2 FROM runs r WHERE r.id = h.run_id
       AND r.parent_run_id = $1`,
    [id, limit],
  );
  for (const start of tries("again")) await expect(start()).rejects.toThrow("INSUFFICIENT_CREDITS");
  // What was started is found all the same.
  await tries("first")[0]?.();
  expect(await limitsOfChildren()).toHaveLength(3);
  await database.pool.query(
    `UPDATE credit_holds h SET amount_micros = 0 FROM runs r WHERE r.id = h.run_id
       AND r.parent_run_id = $1`,
    [id],
  );
  await cancelRun(owner, id, SUPER_AGENT_KINDS);
  await end(id);
});

test("a run says who asked for it: a child its super-agent, found by its call", async () => {
  const { id } = await start();
  const loaded = await loadRun(id);
  expect(loaded).toMatchObject({ origin: "key", parentRunId: null });
  const child = await agentsPort(loaded, { toolCallId: "call_1", isResumed: true }).run(
    agent.id,
    {},
  );
  expect(await loadRun(child.run_id)).toMatchObject({ origin: "agent", parentRunId: id });
  // Neither an idempotency key, which is kept for a day, nor a text in one is what ties them
  // together.
  await database.pool.query("DELETE FROM idempotency_keys WHERE account_id = $1", [
    owner.accountId,
  ]);
  expect(
    (await agentsPort(loaded, { toolCallId: "call_1", isResumed: true }).run(agent.id, {})).run_id,
  ).toBe(child.run_id);
  expect(
    await agentsPort(loaded, { toolCallId: "call_2", isResumed: true }).readRun(child.run_id),
  ).toMatchObject({ run_id: child.run_id });
  await end(id);
});

test("while it waits for its child it holds no place: on one place, both end", async () => {
  await database.pool.query("UPDATE accounts SET runs_at_work = 1 WHERE id = $1", [
    owner.accountId,
  ]);
  superScript = (seen) =>
    seen.turn === 0
      ? call("run_agent", { agent_id: agent.id, input: {} })
      : { text: lastResult(seen) };
  const { id } = await start();
  expect(await end(id)).toMatchObject({
    status: "completed",
    result: { text: expect.stringContaining("the child's answer") },
  });
  const events = (await readRunEvents(id, -1, 1_000)).map(
    (line) => JSON.parse(line).type as string,
  );
  expect(events.filter((type) => type === "tool.started" || type === "tool.completed")).toEqual([
    "tool.started",
    "tool.completed",
  ]);
});

test("a run that it started and that waits for a person is told of at once", async () => {
  const { id } = await start();
  const loaded = await loadRun(id);
  childScript = () => new Promise<ScriptedTurn>(() => {});
  const child = await agentsPort(loaded, { toolCallId: "call_1", isResumed: true }).run(
    agent.id,
    {},
  );
  await database.pool.query("UPDATE runs SET requires_action = '{}' WHERE id = $1", [child.run_id]);
  expect(await agentsPort(loaded, { toolCallId: "call_2" }).readRun(child.run_id)).toMatchObject({
    note: expect.stringContaining("approval"),
  });
  await cancelRun(owner, child.run_id);
  await end(id);
});

test("while it waits for a run, it learns at once that this waits for a person", async () => {
  const asking = await insertTestAgent(owner, {
    config: {
      tools: { builtin: ["run_javascript"] },
      permissions: { ask: ["run_javascript"] },
    },
  });
  childScript = () => call("run_javascript", { code: "1" });
  superScript = (seen) =>
    seen.turn === 0
      ? call("run_agent", { agent_id: asking.id, input: {} })
      : { text: lastResult(seen) };
  expect(await end((await start()).id)).toMatchObject({
    status: "completed",
    result: { text: expect.stringContaining("waits for a person's approval") },
  });
  expect(await children()).toMatchObject([
    { status: "running", requiresAction: { type: "approval" } },
  ]);
});

test.each([
  ["is cancelled", async (id: string) => void (await cancelRun(owner, id, SUPER_AGENT_KINDS))],
  [
    "fails",
    async (id: string) =>
      void (await settleRun(
        id,
        { status: "failed", error: { code: "TIMEOUT", message: "over" } },
        null,
      )),
  ],
])(
  "all that it has started is cancelled when it %s, whether it waits for it or not",
  async (_, endIt) => {
    let calls = 0;
    childScript = () => {
      calls += 1;
      return new Promise<ScriptedTurn>(() => {});
    };
    superScript = () => call("run_agent", { agent_id: agent.id, input: {} });
    const { id } = await start();
    await expect.poll(() => calls).toBe(1);
    await agentsPort(await loadRun(id), { toolCallId: "another", isResumed: true }).run(
      agent.id,
      {},
    );
    await expect.poll(() => calls).toBe(2);
    await endIt(id);
    await expect
      .poll(async () => (await children()).map((child) => child.status))
      .toEqual(["cancelled", "cancelled"]);
    expect((await end(id)).status).not.toBe("running");
  },
);

test("what was started just as it ended is found and cancelled", async () => {
  childScript = () => new Promise<ScriptedTurn>(() => {});
  const { id } = await start();
  const loaded = await loadRun(id);
  await end(id);
  const child = await agentsPort(loaded, { toolCallId: "late", isResumed: true }).run(agent.id, {});
  await cancelOrphans();
  expect((await getRun(owner, child.run_id)).status).not.toBe("cancelled");
  await database.pool.query("UPDATE runs SET status = 'failed' WHERE id = $1", [id]);
  await cancelOrphans();
  expect((await getRun(owner, child.run_id)).status).toBe("cancelled");
});

test("the agent routes' verbs never see its rows, nor its own those of agents", async () => {
  const { id } = await start();
  await end(id);
  await expect(getRun(owner, id)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  await expect(cancelRun(owner, id)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  expect(await children()).toEqual([]);
});
