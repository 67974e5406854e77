import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AgentRecord, requireAgent } from "@/lib/domain/agents/agent-store";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { listAgentVersions } from "@/lib/domain/agents/list-agent-versions";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { getAgentEdit, listAgentEdits } from "@/lib/domain/builds/agent-edits";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import type { RunView } from "@/lib/domain/runs/run-view";
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
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { executeRun } from "@/lib/jobs/execute-run";
import type { RunEvent } from "@/lib/model/run/run-event";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
let agent: AgentRecord;
/** What the model says; each test writes its own. */
let script: (seen: SeenTurn) => ScriptedTurn | Promise<ScriptedTurn>;

beforeAll(async () => {
  database = await openDomainDatabase();
  injectModel(scriptedModel("builtin/offline", (seen) => script(seen)));
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 20,
  });
});
beforeEach(async () => {
  owner = await database.account();
  agent = await newAgent(owner);
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
});

const draft = (input: Record<string, unknown>): ScriptedTurn => ({
  call: { name: "edit_agent", input },
});
/** Drafts a change and ends with it, in one turn. */
const edit = (input: Record<string, unknown>): ScriptedTurn => ({
  ...draft(input),
  calls: [{ name: "finish", input: { outcome: "built", text: "" } }],
});
const versions = async () =>
  (await listAgentVersions(owner, agent.id, { limit: 100, cursor: null })).data;

async function start(releaseNote: string | null = null): Promise<RunView> {
  const run = await requestAgentEdit(owner, agent.id, {
    text: "Change it.",
    conversationId: null,
    webhookUrl: null,
    releaseNote,
  });
  if ("replayed" in run) throw new Error("there is no key to replay");
  return run;
}

/** Follows a run to its terminal line. */
async function end(runId: string): Promise<{ run: RunView; tools: string[]; events: RunEvent[] }> {
  const events: RunEvent[] = [];
  for await (const lines of followRunLog(runId, { after: -1, signal: AbortSignal.timeout(20_000) }))
    events.push(...lines.map((line) => JSON.parse(line) as RunEvent));
  const { run, actions } = await getAgentEdit(owner, agent.id, runId);
  return { run, tools: (actions?.actions ?? []).map(({ tool }) => tool), events };
}

function statusesOf(events: RunEvent[], tool: string): string[] {
  return events.flatMap((event) =>
    event.type === "tool.completed" && event.name === tool ? [event.status] : [],
  );
}

async function expectUntouched(): Promise<void> {
  expect(await requireAgent(owner, agent.id)).toEqual(agent);
  expect(await versions()).toHaveLength(1);
}

/** A promise and the function that ends it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function currentAgent({ system, prompt }: SeenTurn): { name: string; skill_content: string } {
  const told = prompt.flatMap((message) =>
    message.role === "user"
      ? message.content.flatMap((part) => (part.type === "text" ? [part.text] : []))
      : [],
  );
  // What it was told last stands behind what it was shown.
  const newest = (pattern: RegExp) =>
    [system, ...told].flatMap((text) => pattern.exec(text)?.[1] ?? []).at(-1);
  const agent = JSON.parse(newest(/<current_agent>\n([\s\S]*?)\n<\/current_agent>/) ?? "{}");
  const numbered = newest(/<skill>\n[^\n]*\n([\s\S]*?)\n<\/skill>/) ?? "";
  const lines = numbered.split("\n").map((line) => line.replace(/^\d+\t/, ""));
  // Of the service's own making.
  return { ...(agent as { name: string }), skill_content: lines.join("\n") };
}

test("an edit that succeeds is a noted version, its last number up, the rest as is", async () => {
  script = () =>
    edit({ name: "Better", config: { version: 1, starters: ["Go"] }, summary: "Named it better." });
  const { run, tools, events } = await end((await start("a better name")).id);
  expect(tools).toEqual(["edit_agent", "finish"]);
  expect(run).toMatchObject({
    status: "completed",
    agentId: agent.id,
    result: {
      text: "Named it better.",
      agent_id: agent.id,
      agent_name: "Better",
      build: { outcome: "built", assumptions: [], left_out: [], needs: [], question: null },
    },
  });
  const after = await requireAgent(owner, agent.id);
  expect(after).toMatchObject({
    name: "Better",
    version: "1.0.1",
    skillContent: "Help.",
    config: { version: 1, starters: ["Go"] },
  });
  expect(after.configContent).toContain("# the format");
  expect((await versions())[0]).toMatchObject({
    id: after.currentVersionId,
    number: 2,
    version: "1.0.1",
    source: "edit",
    releaseNote: "a better name",
    runId: run.id,
  });
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.map((event) => event.type).filter((type) => type !== "usage.updated")).toEqual([
    "run.created",
    "tool.started",
    "tool.completed",
    "tool.started",
    "tool.completed",
    "message.created",
    "output_text.delta",
    "run.completed",
  ]);
  expect(
    (await listAgentEdits(owner, agent.id, { limit: 10, cursor: null })).data.map((row) => row.id),
  ).toEqual([run.id]);
});

test("the model sees the agent, and a misfit proposal goes back until it fits", async () => {
  script = ({ call, prompt, system }) => {
    if (call % 3 === 0)
      return edit({ config: { version: 1, limits: { max_steps: 0 } }, summary: "x" });
    if (call % 3 === 1) return edit({ surprise: 1, summary: "x" });
    expect(system).toContain("Help.");
    expect(JSON.stringify(prompt)).toContain("config.limits.max_steps");
    return edit({ skill_content: "Help more.", summary: "More." });
  };
  injectModel(scriptedModel("builtin/offline", (seen) => script(seen)));
  const { run, events } = await end((await start()).id);
  expect(run.status).toBe("completed");
  expect(await requireAgent(owner, agent.id)).toMatchObject({
    skillContent: "Help more.",
    version: "1.0.1",
  });
  expect(
    events.filter((event) => event.type === "tool.completed").map((event) => event.status),
  ).toEqual([...["failed", "failed", "failed", "failed"], ...["succeeded", "succeeded"]]);
});

test.each([
  ["only proposes what does not fit", edit({ skill_content: "", summary: "x" })],
  ["calls another tool", { call: { name: "draw_agent", input: {} } }],
])(
  "an edit whose model %s fails with AGENT_BUILD_FAILED and leaves the agent untouched",
  async (_what, turn) => {
    let calls = 0;
    script = () => {
      calls += 1;
      return turn;
    };
    const { run } = await end((await start()).id);
    expect(run).toMatchObject({
      status: "failed",
      error: { code: "AGENT_BUILD_FAILED" },
      result: null,
    });
    expect(calls).toBe(4);
    await expectUntouched();
  },
);

const REPORT = { assumptions: [], left_out: [], needs: [], question: null };

test.each([
  [
    "says that it cannot",
    { call: { name: "finish", input: { outcome: "refused", text: "I cannot send a fax." } } },
    { ...REPORT, outcome: "refused" },
  ],
  [
    "asks back",
    { text: "Which one is meant?" },
    { ...REPORT, outcome: "question", question: "Which one is meant?" },
  ],
  ["drafts no change", edit({ summary: "Nothing." }), { ...REPORT, outcome: "unchanged" }],
  [
    "drafts what holds already",
    edit({ name: "Helper", summary: "Named it." }),
    { ...REPORT, outcome: "unchanged" },
  ],
] as const)(
  "an edit whose model %s is completed after that one turn with its words, and makes no version",
  async (_what, turn, build) => {
    let calls = 0;
    script = () => {
      calls += 1;
      return { ...turn, ...("calls" in turn && { calls: [...(turn.calls ?? [])] }) };
    };
    const { run } = await end((await start()).id);
    expect(run).toMatchObject({
      status: "completed",
      error: null,
      result: { agent_id: agent.id, build },
    });
    const said =
      "text" in turn ? turn.text : build.outcome === "refused" ? "I cannot send a fax." : "already";
    expect(run.result?.text).toContain(said);
    expect(calls).toBe(1);
    await expectUntouched();
  },
);

test("what a model says by finish is the result, in words and in fields", async () => {
  const report = {
    assumptions: ["Days are working days."],
    left_out: ["The fax: no tool sends one."],
    needs: [{ kind: "secret", text: "The secret MAIL_KEY." }],
  };
  script = () => ({
    call: { name: "edit_agent", input: { name: "Better" } },
    calls: [
      {
        name: "finish",
        input: { outcome: "built", text: "It is named better. Days are working days.", ...report },
      },
    ],
  });
  const { run, events } = await end((await start()).id);
  expect(run.result?.build).toEqual({ outcome: "built", ...report, question: null });
  expect(run.result?.text).toBe(
    "It is named better. Days are working days.\n\nNot set up:\n- The fax: no tool sends one.\n\n" +
      "Still needed:\n- The secret MAIL_KEY.",
  );
  expect(events.find((event) => event.type === "output_text.delta")).toMatchObject({
    delta: run.result?.text,
  });
  expect((await versions())[0]).toMatchObject({
    releaseNote: "It is named better. Days are working days.",
  });
});

test("an edit whose model drafts and then ends in words is stored, and says both", async () => {
  script = ({ prompt }) =>
    prompt.some(({ role }) => role === "tool")
      ? { text: "That was all." }
      : draft({ name: "Better", summary: "Renamed." });
  const { run } = await end((await start()).id);
  expect(run.result).toMatchObject({
    text: "Renamed.\n\nThat was all.",
    build: { outcome: "built" },
  });
  expect(await versions()).toMatchObject([
    { releaseNote: "Renamed.", source: "edit" },
    { source: "create" },
  ]);
});

test("an edit whose model drafts the same over and over is stored at the second", async () => {
  let calls = 0;
  script = () => {
    calls += 1;
    return draft({ name: "Better", summary: "Renamed." });
  };
  const { run } = await end((await start()).id);
  expect(run.result).toMatchObject({ text: "Renamed.", build: { outcome: "built" } });
  expect([calls, (await versions()).length]).toEqual([2, 2]);
});

test("a model cannot end with a draft that was refused, nor with none", async () => {
  const told: string[] = [];
  script = ({ prompt }) => {
    const turn = prompt.filter(({ role }) => role === "tool").length;
    if (turn > 0) told.push(JSON.stringify(prompt.at(-1)));
    if (turn === 0) return { call: { name: "finish", input: { outcome: "built", text: "Done." } } };
    if (turn === 1) return draft({ name: "Good", summary: "Named it." });
    if (turn === 2) return edit({ config: { version: 7 }, summary: "x" });
    return { call: { name: "finish", input: { outcome: "refused", text: "No." } } };
  };
  const { run } = await end((await start()).id);
  expect(told[0]).toContain("no draft");
  expect(told[2]).toContain("was refused");
  expect(run.result).toMatchObject({ text: "No.", build: { outcome: "refused" } });
  await expectUntouched();
});

test("an edit is surgical: single texts and places change, not a byte more", async () => {
  const skill = "# Help\n\n1. Read.\n2. Answer *briefly*.\n";
  const configContent =
    "# mine\nversion: 1\nlimits:   # few\n  max_steps:  5  # turns\nstarters: [ a,  b ]\n";
  await updateAgent(owner, agent.id, { skillContent: skill, configContent });
  const told: string[] = [];
  script = ({ prompt }) => {
    const turn = prompt.filter(({ role }) => role === "tool").length;
    if (turn > 0) told.push(JSON.stringify(prompt.at(-1)));
    if (turn === 0)
      return draft({
        skill_edits: [
          { old: "e", new: "x" },
          { old: "Sing.", new: "x" },
        ],
        config_edits: [{ path: "limits.max_steps.x", value: 1 }],
      });
    return edit({
      skill_edits: [{ old: "*briefly*", new: "at length" }],
      config_edits: [{ path: "limits.max_steps", value: 9 }],
      summary: "Longer.",
    });
  };
  expect((await end((await start()).id)).run).toMatchObject({
    status: "completed",
    result: { text: "Longer." },
  });
  for (const words of [
    "skill_edits.0.old: stands in the skill more than once",
    "skill_edits.1.old: does not stand",
    "config_edits.0.path",
  ])
    expect(told[0]).toContain(words);
  expect(await requireAgent(owner, agent.id)).toMatchObject({
    skillContent: skill.replace("*briefly*", "at length"),
    configContent: configContent.replace("max_steps:  5  #", "max_steps:  9  #"),
  });
});

test("an earlier version is listed, compared and restored, as a new version", async () => {
  await updateAgent(owner, agent.id, {
    name: "Worse",
    skillContent: "Hinder.",
    releaseNote: "worse",
  });
  const told: string[] = [];
  script = ({ prompt }) => {
    const turn = prompt.filter(({ role }) => role === "tool").length;
    if (turn > 0) told.push(JSON.stringify(prompt.at(-1)));
    if (turn === 0) return { call: { name: "list_versions", input: { compare_with: 1 } } };
    if (turn === 1) return { call: { name: "restore_version", input: { number: 9 } } };
    return {
      call: { name: "restore_version", input: { number: 1 } },
      calls: [{ name: "finish", input: { outcome: "built", text: "Undone." } }],
    };
  };
  const { run } = await end((await start()).id);
  for (const words of ["worse", "-Help.", "+Hinder."]) expect(told[0]).toContain(words);
  expect(told[1]).toContain("no version of this number");
  expect(run.result).toMatchObject({
    text: "Undone.",
    agent_name: "Helper",
    build: { outcome: "built" },
  });
  expect(await requireAgent(owner, agent.id)).toMatchObject({
    name: "Helper",
    skillContent: "Help.",
  });
  expect(await versions()).toMatchObject([
    { source: "edit", releaseNote: "Restored version number 1." },
    {},
    {},
  ]);
});

test("a cancelled edit leaves the agent untouched, whatever its model still says", async () => {
  const { opened, open } = gate();
  const asked = gate();
  script = async () => {
    asked.open();
    await opened;
    return edit({ name: "Too late", summary: "x" });
  };
  const { id } = await start();
  await asked.opened;
  expect(await cancelRun(owner, id)).toMatchObject({ cancelled: true });
  open();
  const { run, events } = await end(id);
  expect(run.status).toBe("cancelled");
  expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "RUN_CANCELLED" } });
  await expectUntouched();
});

test("an edit whose agent was archived meanwhile fails and stores nothing", async () => {
  script = async () => {
    await archiveAgent(owner, agent.id);
    return edit({ name: "Too late", summary: "x" });
  };
  const { run, events } = await end((await start()).id);
  expect(run).toMatchObject({ status: "failed", error: { code: "EXECUTION_FAILED" } });
  expect(
    events.filter(
      (event) =>
        (event.type === "tool.completed" && event.name === "finish") ||
        event.type === "message.created",
    ),
  ).toEqual([]);
  expect(await requireAgent(owner, agent.id)).toMatchObject({
    name: "Helper",
    version: "1.0.0",
    status: "archived",
  });
  expect(await versions()).toHaveLength(1);
});

test("a patch stored while the model thinks is kept: the edit is made again on it", async () => {
  const seen: string[] = [];
  script = async (turn) => {
    const { skill_content: skill } = currentAgent(turn);
    seen.push(skill);
    if (seen.length === 1)
      await updateAgent(owner, agent.id, { skillContent: "Patched.", description: "patched" });
    return edit({ skill_content: `${skill}\nEdited.`, summary: "Added a line." });
  };
  const { run, events } = await end((await start()).id);
  expect(run).toMatchObject({ status: "completed", result: { text: "Added a line." } });
  expect(seen).toEqual(["Help.", "Patched."]);
  expect(await requireAgent(owner, agent.id)).toMatchObject({
    skillContent: "Patched.\nEdited.",
    description: "patched",
    version: "1.0.1",
  });
  expect(await versions()).toMatchObject([
    { source: "edit" },
    { source: "patch" },
    { source: "create" },
  ]);
  expect(statusesOf(events, "finish")).toEqual(["failed", "succeeded"]);
  expect(events.filter((event) => event.type === "message.created")).toHaveLength(1);
});

test("a patch stored while the edit waits for the agent's lock is not overwritten", async () => {
  const client = await database.pool.connect();
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM agents WHERE id = $1 FOR UPDATE", [agent.id]);
  const seen: string[] = [];
  script = async (turn) => {
    seen.push(currentAgent(turn).name);
    return edit({ name: `${currentAgent(turn).name}, edited`, summary: "Renamed." });
  };
  const { id } = await start();
  await waitForLock();
  await client.query(
    "UPDATE agents SET name = 'Patched', current_version_id = gen_random_uuid() WHERE id = $1",
    [agent.id],
  );
  await client.query("COMMIT");
  client.release();
  const { run, events } = await end(id);
  expect(run.status).toBe("completed");
  expect(seen).toEqual(["Helper", "Patched"]);
  expect((await requireAgent(owner, agent.id)).name).toBe("Patched, edited");
  expect(statusesOf(events, "finish")).toEqual(["failed", "succeeded"]);
  expect(events.filter((event) => event.type === "message.created")).toHaveLength(1);
});

test("of eight edits at once none undoes another", async () => {
  script = (turn) =>
    edit({ skill_content: `${currentAgent(turn).skill_content}x`, summary: "Added an x." });
  const runs = await Promise.all(Array.from({ length: 8 }, () => start()));
  const ended = await Promise.all(runs.map(({ id }) => end(id)));
  expect(ended.map(({ run }) => run.status)).toEqual(Array.from({ length: 8 }, () => "completed"));
  expect(await requireAgent(owner, agent.id)).toMatchObject({
    skillContent: "Help.xxxxxxxx",
    version: "1.0.8",
  });
  expect((await versions()).map((version) => version.number)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

/** Resolves when some connection waits for a lock on the agents' rows. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const { rowCount } = await database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock' AND query LIKE '%FROM agents%'`,
    );
    if (rowCount) return;
  }
}
