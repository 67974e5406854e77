import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { filesPort, holderOf } from "@/lib/domain/execution/tools/files-port";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { Principal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { dispatch } from "@/lib/engine/client";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { readRunEvents } from "@/lib/engine/events/run-log-writer";
import { cancelChildrenOfEnded } from "@/lib/jobs/cancel-children";
import { executeRun } from "@/lib/jobs/execute-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";
import type { Agent } from "@/lib/storage/generated/client";

type Script = (
  seen: SeenTurn & { turn: number; last: string },
) => ScriptedTurn | Promise<ScriptedTurn>;

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
/** What the model says to an agent, by its name in lower case. */
let scripts: Record<string, Script>;

beforeAll(async () => {
  database = await openDomainDatabase();
  injectModel(
    scriptedModel("builtin/offline", (seen) => {
      const [, script] =
        Object.entries(scripts).find(([name]) =>
          seen.system.includes(`${name[0]?.toUpperCase()}${name.slice(1)}`),
        ) ?? [];
      if (!script) throw new Error("no test says what this agent does");
      const results = seen.prompt.filter((message) => message.role === "tool");
      const last = JSON.stringify(results.at(-1)?.content ?? null);
      return script({ ...seen, turn: results.length, last });
    }),
  );
  executor = await startEmbeddedExecutor({
    functions: [executeRun, cancelChildrenOfEnded],
    pool: database.pool,
    concurrency: 20,
  });
});
beforeEach(async () => {
  owner = await database.account();
  scripts = {};
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
});

const call = (name: string, input: unknown): ScriptedTurn => ({ call: { name, input } });

/** An agent that may call `others` by the names of the keys. */
function leader(
  name: string,
  others: Record<string, Agent>,
  config: Partial<AgentConfig> = {},
  more: { max_credits?: number } = {},
): Promise<Agent> {
  const agents = Object.entries(others).map(([tool, { id }]) => ({
    agent_id: id,
    name: tool,
    ...more,
  }));
  return insertTestAgent(owner, { name, config: { ...config, tools: { agents } } });
}

async function start(
  agent: Agent,
  more: { maxCreditsMicros?: bigint; onBudget?: "wait" | "fail" } = {},
): Promise<RunView> {
  const run = await requestRun(owner, "agent", {
    agentId: agent.id,
    input: { request: "Do it." },
    ...more,
  });
  if ("replayed" in run) throw new Error("there is no key to replay");
  return run;
}

async function end(runId: string): Promise<RunView> {
  for await (const _ of followRunLog(runId, { after: -1, signal: AbortSignal.timeout(60_000) }));
  return getRun(owner, runId);
}

async function childrenOf(runId: string): Promise<RunView[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM runs WHERE parent_run_id = $1 ORDER BY id",
    [runId],
  );
  return Promise.all(rows.map(({ id }) => getRun(owner, id)));
}

const INPUTS = {
  type: "object",
  properties: { topic: { type: "string" } },
  required: ["topic"],
  additionalProperties: false,
} as const;

test("an agent calls another by its inputs for its answer; the child is a run", async () => {
  const writer = await insertTestAgent(owner, { name: "Writer", config: { inputs: INPUTS } });
  const editor = await leader("Editor", { write: writer });
  scripts = {
    editor({ turn, last, tools }) {
      if (turn > 0) return { text: last };
      const tool = tools?.find(({ name }) => name === "write");
      expect(tool).toMatchObject({ inputSchema: INPUTS });
      return call("write", { topic: "tides" });
    },
    writer: ({ prompt }) => ({ text: `About ${JSON.stringify(prompt).match(/tides/)?.[0]}.` }),
  };
  const { id } = await start(editor);
  expect(await end(id)).toMatchObject({
    status: "completed",
    parentRunId: null,
    result: { text: expect.stringContaining("About tides.") },
  });
  const [child] = await childrenOf(id);
  expect(child).toMatchObject({ parentRunId: id, agentId: writer.id, input: { topic: "tides" } });
  const spans = await readRunTrace(owner, id);
  expect(spans.find(({ kind }) => kind === "tool")?.attributes).toMatchObject({
    child_run_id: child?.id,
  });
  const types = (await readRunEvents(id, -1, 1_000)).map((line) => JSON.parse(line).type as string);
  expect(types.filter((type) => type.startsWith("tool."))).toEqual([
    "tool.started",
    "tool.completed",
  ]);
});

test("calls of one turn begin together: each child waits for the other's beginning", async () => {
  const one = await insertTestAgent(owner, { name: "First" });
  const two = await insertTestAgent(owner, { name: "Second" });
  const lead = await leader("Leader", { one, two });
  const begun = { First: Promise.withResolvers<void>(), Second: Promise.withResolvers<void>() };
  scripts = {
    leader: ({ turn }) =>
      turn > 0
        ? { text: "both" }
        : {
            call: { name: "one", input: { request: "a" } },
            calls: [{ name: "two", input: { request: "b" } }],
          },
    first: async () => {
      begun.First.resolve();
      await begun.Second.promise;
      return { text: "1" };
    },
    second: async () => {
      begun.Second.resolve();
      await begun.First.promise;
      return { text: "2" };
    },
  };
  const { id } = await start(lead);
  expect(await end(id)).toMatchObject({ status: "completed", result: { text: "both" } });
  expect(await childrenOf(id)).toHaveLength(2);
});

test("a run told of a stop of its child, which works again, waits on for its end", async () => {
  const helper = await insertTestAgent(owner, { name: "Helper" });
  const lead = await leader("Leader", { help: helper });
  const begun = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<void>();
  scripts = {
    leader: ({ turn, last }) => (turn > 0 ? { text: last } : call("help", { request: "x" })),
    helper: async () => {
      begun.resolve();
      await ends.promise;
      return { text: "the end" };
    },
  };
  const { id } = await start(lead);
  await begun.promise;
  const [child] = await childrenOf(id);
  const waits = async () => {
    const { rows } = await database.pool.query<{ step_id: string }>(
      "SELECT step_id FROM engine_waits WHERE event = 'run/stopped' AND conditions LIKE $1",
      [`%${child?.id}%`],
    );
    return rows.map(({ step_id: step }) => step);
  };
  await expect.poll(waits).toHaveLength(1);
  const [first] = await waits();
  // As where it lacked credits for a moment: what told of it comes late.
  await dispatch(database.pool, {
    id: `late:${child?.id}`,
    name: "run/stopped",
    data: { run_id: child?.id ?? "" },
  });
  const hasGoneOn = async () =>
    (await getRun(owner, id)).status === "completed" ||
    (await waits()).some((step) => step !== first);
  await expect.poll(hasGoneOn).toBe(true);
  ends.resolve();
  const { result } = await end(id);
  expect(result?.text).toContain("the end");
});

test("a child's failure is a failed call with its code; barred agents are no tools", async () => {
  const stranger = await database.account();
  const theirs = await insertTestAgent(stranger, { name: "Theirs" });
  const failing = await insertTestAgent(owner, {
    name: "Failing",
    config: { limits: { max_steps: 1 } },
  });
  const lead = await leader("Leader", { fail: failing, theirs });
  scripts = {
    leader({ turn, last, tools }) {
      expect(tools?.map(({ name }) => name)).not.toContain("theirs");
      return turn > 0 ? { text: last } : call("fail", { request: "x" });
    },
    failing: () => call("todo", { items: [{ text: "never ends", done: false }] }),
  };
  const { result } = await end((await start(lead)).id);
  expect(result?.text).toContain("STEP_LIMIT_EXCEEDED");
  await expect(
    updateAgent(owner, lead.id, {
      config: { version: 1, tools: { agents: [{ agent_id: theirs.id }] } },
    }),
  ).rejects.toMatchObject({
    code: "INVALID_INPUT",
    extras: {
      details: [{ path: "config.tools.agents.0.agent_id", message: "There is no such agent." }],
    },
  });
});

test("runs stand three deep at most, so that a circle ends", async () => {
  const self = await insertTestAgent(owner, { name: "Circle" });
  await database.pool.query("UPDATE agents SET config = $2 WHERE id = $1", [
    self.id,
    JSON.stringify({ version: 1, tools: { agents: [{ agent_id: self.id, name: "again" }] } }),
  ]);
  scripts = {
    circle: ({ turn, last }) => (turn > 0 ? { text: last } : call("again", { request: "deeper" })),
  };
  const { id } = await start(self);
  expect(await end(id)).toMatchObject({
    status: "completed",
    result: { text: expect.stringContaining("Nothing was started") },
  });
  const { rows } = await database.pool.query("SELECT id FROM runs WHERE account_id = $1", [
    owner.accountId,
  ]);
  expect(rows).toHaveLength(4);
});

test("a run starts 20 others at most, however many calls ask at once", async () => {
  const helper = await insertTestAgent(owner, { name: "Helper21" });
  const busy = await leader("Busy", { help: helper });
  scripts = {
    busy: ({ turn, last }) =>
      turn > 0
        ? { text: last }
        : {
            call: { name: "help", input: { request: "20" } },
            calls: Array.from({ length: 20 }, (_, index) => ({
              name: "help",
              input: { request: String(index) },
            })),
          },
    helper21: () => ({ text: "ok" }),
  };
  const many = await start(busy);
  expect((await end(many.id)).result?.text).toContain("a run may start 20 others");
  expect(await childrenOf(many.id)).toHaveLength(20);
});

test("children are cancelled with the run above them, however deep", async () => {
  const leaf = await insertTestAgent(owner, { name: "Leaf" });
  const middle = await leader("Middle", { leaf });
  const top = await leader("Topmost", { middle });
  const begun = Promise.withResolvers<void>();
  scripts = {
    topmost: () => call("middle", { request: "x" }),
    middle: () => call("leaf", { request: "x" }),
    leaf: () => {
      begun.resolve();
      return new Promise<ScriptedTurn>(() => {});
    },
  };
  const { id } = await start(top);
  await begun.promise;
  await cancelRun(owner, id);
  const [child] = await childrenOf(id);
  const [grandchild] = await childrenOf(child?.id ?? "");
  expect(await end(child?.id ?? "")).toMatchObject({ status: "cancelled" });
  expect(await end(grandchild?.id ?? "")).toMatchObject({ status: "cancelled" });
});

test("a limit holds for all below it: a child may cost what is left, or its line's", async () => {
  const leaf = await insertTestAgent(owner, { name: "Leaf" });
  const middle = await leader("Middle", { leaf });
  const top = await leader(
    "Topmost",
    { middle },
    { limits: { max_credits: 5 } },
    { max_credits: 3 },
  );
  scripts = {
    topmost: ({ turn }) => (turn > 0 ? { text: "done" } : call("middle", { request: "x" })),
    middle: ({ turn }) => (turn > 0 ? { text: "done" } : call("leaf", { request: "x" })),
    leaf: () => ({ text: "leaf" }),
  };
  const { id } = await start(top);
  await end(id);
  const limits = await database.pool.query<{ max: string }>(
    `SELECT max_credits_micros AS max FROM runs WHERE account_id = $1 AND parent_run_id IS NOT NULL
     ORDER BY id`,
    [owner.accountId],
  );
  const [child = 0n, grandchild = 0n] = limits.rows.map(({ max }) => BigInt(max));
  expect(child).toBeLessThanOrEqual(3_000_000n);
  expect(grandchild).toBeLessThanOrEqual(child);
  const spent = await database.pool.query<{ sum: string }>(
    "SELECT sum(credits_micros) FROM run_usage WHERE account_id = $1",
    [owner.accountId],
  );
  // What was spent below counts against the topmost's five credits.
  const most = async () => {
    const { rows } = await database.pool.query<{ room: string }>(
      "SELECT run_room($1, $2, NULL, $1) AS room",
      [id, owner.accountId],
    );
    return BigInt(rows[0]?.room ?? 0) + BigInt(spent.rows[0]?.sum ?? 0);
  };
  expect(await most()).toBe(5_000_000n);
  // Of a run that is pinned to a version that one's limit holds, and once it is raised its own.
  const kept = `
    INSERT INTO agent_versions (id, agent_id, number, version, source, name, write_autonomy,
      skill_content, config_content, config)
    SELECT current_version_id, id, 1, version, 'create', name, write_autonomy, skill_content,
      config_content, config
    FROM agents WHERE id = $1`;
  await database.pool.query(kept, [top.id]);
  const less = `
    UPDATE agents SET config = jsonb_set(config, '{limits,max_credits}', '4') WHERE id = $1`;
  await database.pool.query(less, [top.id]);
  expect(await most()).toBe(4_000_000n);
  await database.pool.query("UPDATE runs SET agent_version = 1 WHERE id = $1", [id]);
  expect(await most()).toBe(5_000_000n);
  const raised = "UPDATE runs SET max_credits_micros = 7000000, max_is_raised = true WHERE id = $1";
  await database.pool.query(raised, [id]);
  expect(await most()).toBe(7_000_000n);
});

test("an agent listed under two names has the limit of the name that is called", async () => {
  const leaf = await insertTestAgent(owner, { name: "Leaf" });
  const lead = await insertTestAgent(owner, {
    name: "Leader",
    config: {
      tools: {
        agents: [
          { agent_id: leaf.id, name: "small", max_credits: 3 },
          { agent_id: leaf.id, name: "large", max_credits: 8 },
        ],
      },
    },
  });
  const maxOf = async (name: string) => {
    scripts = {
      leader: ({ turn }) => (turn > 0 ? { text: "done" } : call(name, { request: "x" })),
      leaf: () => ({ text: "leaf" }),
    };
    const { id } = await start(lead);
    await end(id);
    const { rows } = await database.pool.query<{ max: string }>(
      "SELECT max_credits_micros AS max FROM runs WHERE parent_run_id = $1",
      [id],
    );
    return rows.map(({ max }) => max);
  };
  expect(await maxOf("small")).toEqual(["3000000"]);
  expect(await maxOf("large")).toEqual(["8000000"]);
});

test("a child waits for credits as the run above does; one with a limit fails", async () => {
  const waiting = { limits: { on_budget: "wait" as const } };
  const leaf = await insertTestAgent(owner, { name: "Leaf", config: { version: 1, ...waiting } });
  const bound = await leader("Bound", { leaf }, {}, { max_credits: 3 });
  const free = await leader("Free", { leaf });
  const onBudgetOf = async (agent: Agent, onBudget: "wait" | "fail") => {
    scripts = {
      bound: ({ turn }) => (turn > 0 ? { text: "done" } : call("leaf", { request: "x" })),
      free: ({ turn }) => (turn > 0 ? { text: "done" } : call("leaf", { request: "x" })),
      leaf: () => ({ text: "leaf" }),
    };
    const { id } = await start(agent, { onBudget });
    await end(id);
    const { rows } = await database.pool.query<{ on_budget: string }>(
      "SELECT on_budget FROM runs WHERE parent_run_id = $1",
      [id],
    );
    return rows.map(({ on_budget }) => on_budget);
  };
  expect(await onBudgetOf(bound, "wait")).toEqual(["fail"]);
  expect(await onBudgetOf(free, "wait")).toEqual(["wait"]);
  expect(await onBudgetOf(free, "fail")).toEqual(["fail"]);
});

test("a file that a child made is read by the run above it, by id, by no other", async () => {
  const maker = await insertTestAgent(owner, { name: "Maker" });
  const lead = await leader("Leader", { make: maker });
  scripts = {
    leader: ({ turn }) => (turn > 0 ? { text: "done" } : call("make", { request: "x" })),
    maker: ({ turn }) =>
      turn > 0 ? { text: "made" } : call("artifacts", { name: "plan.md", content: "# The plan" }),
  };
  const { id } = await start(lead);
  await end(id);
  const [child] = await childrenOf(id);
  const artifact = child?.result?.artifacts[0]?.id ?? "";
  const read = async (runId: string) =>
    filesPort(holderOf(await loadRun(runId)), "c").find(artifact);
  expect(await read(id)).toMatchObject({ path: "run:plan.md" });
  const other = await start(lead);
  expect(await read(other.id)).toBeNull();
  await end(other.id);
});

test("a permission that asks holds for calling an agent as for any tool", async () => {
  const writer = await insertTestAgent(owner, { name: "Writer" });
  const lead = await leader("Leader", { write: writer }, { permissions: { ask: ["write"] } });
  scripts = {
    leader: () => call("write", { request: "x" }),
    writer: () => ({ text: "never" }),
  };
  const { id } = await start(lead);
  for await (const line of followRunLog(id, { after: -1, signal: AbortSignal.timeout(60_000) }))
    if (JSON.stringify(line).includes("approval.requested")) break;
  expect((await getRun(owner, id)).requiresAction).toMatchObject({ type: "approval" });
  expect(await childrenOf(id)).toEqual([]);
  await cancelRun(owner, id);
});
