import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AgentRecord } from "@/lib/domain/agents/agent-store";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { resolveApproval } from "@/lib/domain/approvals/resolve-approval";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { requestAgentCreation } from "@/lib/domain/builds/request-agent-creation";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { CallOutcome } from "@/lib/domain/execution/turn/outcomes";
import type { Principal } from "@/lib/domain/principal";
import { callTool, loadRun, requestApproval, runTurn } from "@/lib/domain/run-steps";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

// The steps of a run as the engine calls them, one by one, and again as after a crash.

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "scripted",
  DEFAULT_MODEL: "compatible/scripted",
  EGRESS_ALLOW: "127.0.0.1:9",
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let turns: ScriptedTurn[];

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  database.service.give(
    fileStore,
    createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-steps-"))),
  );
  injectModel(
    scriptedModel("compatible/scripted", (shown) => {
      seen.push(shown);
      return turns.shift() ?? { text: "Nothing more." };
    }),
  );
});
beforeEach(async () => {
  [seen, turns] = [[], []];
  owner = await database.account();
});
afterAll(() => database.close());

/** Whom a call asks for approval; undefined: nobody. */
const askOf = (outcome: CallOutcome) => ("ask" in outcome ? outcome.ask : undefined);
const query = async (text: string, values: unknown[]) =>
  (await database.pool.query(text, values)).rows;
const ARTIFACT = {
  call: {
    name: "artifacts",
    input: { title: "Report", name: "report.md", type: "text/markdown", content: "# Report" },
  },
};
const TICKET = { call: { name: "create_ticket", input: { title: "Leak" } } };
// Nobody listens there: a call that is made fails, and one that is not made does not.
const TICKETS = {
  name: "create_ticket",
  method: "POST" as const,
  url: "http://127.0.0.1:9/tickets",
  input_schema: { type: "object" },
};

async function agentWith(
  config: AgentConfig,
  writeAutonomy: "full_auto" | "approval_required" | "blocked" = "full_auto",
): Promise<AgentRecord> {
  const agent = await newAgent(owner);
  return updateAgent(owner, agent.id, { config, writeAutonomy });
}

async function stateOf(runId: string) {
  const [row] = await query(
    `SELECT status, error ->> 'code' AS error, requires_action ->> 'approval_id' AS asks,
       result ->> 'text' AS text,
       (SELECT count(*)::int FROM run_turns WHERE run_id = r.id) AS turns,
       (SELECT count(*)::int FROM run_usage WHERE run_id = r.id) AS charges,
       (SELECT count(*)::int FROM artifacts WHERE run_id = r.id) AS artifacts,
       (SELECT jsonb_agg(jsonb_build_array(name, succeeded) ORDER BY turn, tool_call_id)
        FROM run_tool_results WHERE run_id = r.id) AS results,
       (SELECT coalesce(sum(amount_micros), 0)::text FROM credit_holds WHERE run_id = r.id) AS held
     FROM runs r WHERE id = $1`,
    [runId],
  );
  const lines = await query(
    "SELECT lines FROM run_events WHERE run_id = $1 ORDER BY first_sequence",
    [runId],
  );
  const types = lines
    .flatMap((batch) => String(batch.lines).split("\n"))
    .map((line) => JSON.parse(line).type as string);
  return { ...row, lines: types };
}

/** The first turn of a run, which is to call a tool. */
async function calling(agent: AgentRecord): Promise<{ runId: string; callId: string }> {
  const { id: runId } = await startTestRun(owner, { agentId: agent.id });
  const next = await runTurn(runId, 0);
  const call = next.done ? undefined : next.calls[0];
  if (!call) throw new Error("The turn asked for no tool.");
  return { runId, callId: call.toolCallId };
}

test("a turn without a tool ends its run; repeated it asks and charges nothing", async () => {
  turns = [{ text: "It is done.", usage: { input: 100, output: 50 } }];
  const { id } = await startTestRun(owner, { input: { request: "Say that it is done." } });
  expect(await runTurn(id, 0)).toEqual({ done: true });
  const after = await stateOf(id);
  expect(after).toMatchObject({
    status: "completed",
    error: null,
    text: "It is done.",
    turns: 1,
    charges: 1,
    held: "0",
  });
  expect(after.lines.at(-1)).toBe("run.completed");
  expect(JSON.stringify(seen[0]?.prompt)).toContain("Say that it is done.");
  expect(await runTurn(id, 0)).toEqual({ done: true });
  expect(await stateOf(id)).toEqual(after);
  expect(seen).toHaveLength(1);
});

test("a secret that a model says is shown nowhere: not in log, result or turn", async () => {
  await createSecret(owner, {
    name: "MAIL_KEY",
    value: "mail-secret-value",
    description: null,
    allowedHosts: ["api.example.com"],
  });
  turns = [{ text: "The key is mail-secret-value, I believe." }];
  const { id } = await startTestRun(owner);
  await runTurn(id, 0);
  const [row] = await query(
    `SELECT (SELECT string_agg(lines, '') FROM run_events
       WHERE run_id = $1) || (SELECT result::text FROM runs WHERE id = $1)
       || (SELECT string_agg(content::text, '') FROM run_turns
         WHERE run_id = $1) || (SELECT string_agg(text, '') FROM messages
         WHERE run_id = $1) AS said`,
    [id],
  );
  expect(row?.said).toContain("The key is ");
  expect(row?.said).not.toContain("mail-secret-value");
});

test("a turn, its call and the next turn are made once, however often repeated", async () => {
  const agent = await agentWith({ version: 1, tools: { builtin: ["artifacts"] } });
  turns = [{ ...ARTIFACT, text: "I write it down." }, { text: "Here it is." }];
  const { runId, callId } = await calling(agent);
  expect(await stateOf(runId)).toMatchObject({ status: "running", turns: 1, charges: 1 });
  expect(await runTurn(runId, 0)).toEqual({
    done: false,
    calls: [{ toolCallId: callId, name: "artifacts" }],
  });
  for (const _ of [1, 2]) expect(await callTool(runId, 0, callId)).toEqual({ done: false });
  const called = await stateOf(runId);
  expect(called).toMatchObject({ artifacts: 1, results: [["artifacts", true]] });
  expect(called.lines.filter((type: string) => type.startsWith("tool."))).toEqual([
    "tool.started",
    "tool.completed",
  ]);
  expect(await runTurn(runId, 0)).toEqual({ done: false, calls: [] });
  expect(seen).toHaveLength(1);
  expect(await runTurn(runId, 1)).toEqual({ done: true });
  expect(await stateOf(runId)).toMatchObject({
    status: "completed",
    text: "Here it is.",
    turns: 2,
    charges: 2,
    artifacts: 1,
    held: "0",
  });
  expect(JSON.stringify(seen[1]?.prompt)).toContain(callId);
});

test("a call has its arguments' keys in its model's order, in whichever process", async () => {
  const within = [{ z: 1, y: { b: 1, a: 2 } }];
  const said = { title: "R", name: "r.md", content: "# R", within };
  const agent = await agentWith({ version: 1, tools: { builtin: ["artifacts"] } });
  turns = [{ call: { name: "artifacts", input: said } }];
  const { runId } = await calling(agent);
  const [call] = (await loadRun(runId)).transcript.calls();
  expect(JSON.stringify(call?.input)).toBe(JSON.stringify(said));
  const shown = (await readRunTrace(owner, runId)).find(({ kind }) => kind === "model")?.output;
  expect(JSON.stringify(shown)).toContain("artifacts");
  expect(JSON.stringify(shown)).not.toContain("keyOrder");
});

test("a missing tool, or one with misfit arguments, is answered; the run goes on", async () => {
  const agent = await agentWith({ version: 1, tools: { builtin: ["artifacts"] } });
  for (const [call, words] of [
    [{ name: "launch_rocket", input: {} }, "There is no tool"],
    [{ name: "artifacts", input: { title: 5 } }, "title"],
  ] as const) {
    turns = [{ call }];
    const { runId, callId } = await calling(agent);
    expect(await callTool(runId, 0, callId)).toEqual({ done: false });
    expect(await stateOf(runId)).toMatchObject({
      status: "running",
      results: [[call.name, false]],
      artifacts: 0,
    });
    const [row] = await query(
      "SELECT output::text AS output FROM run_tool_results WHERE run_id = $1",
      [runId],
    );
    expect(row?.output).toContain(words);
  }
});

test("a run that takes its last step without an end fails by its limit, unasked", async () => {
  const agent = await agentWith({
    version: 1,
    tools: { builtin: ["artifacts"] },
    limits: { max_steps: 1 },
  });
  turns = [ARTIFACT];
  const { runId, callId } = await calling(agent);
  await callTool(runId, 0, callId);
  expect(await runTurn(runId, 1)).toEqual({ done: true });
  expect(await stateOf(runId)).toMatchObject({
    status: "failed",
    error: "STEP_LIMIT_EXCEEDED",
    turns: 1,
    held: "0",
  });
  expect(seen).toHaveLength(1);
});

test("past its time no turn or call is begun: the run fails of its time limit", async () => {
  const agent = await agentWith({
    version: 1,
    tools: { builtin: ["artifacts"] },
    limits: { timeout_seconds: 60 },
  });
  const late = async (runId: string) =>
    query("UPDATE runs SET started_at = now() - interval '61 seconds' WHERE id = $1", [runId]);
  turns = [ARTIFACT];
  const first = await calling(agent);
  await late(first.runId);
  expect(await callTool(first.runId, 0, first.callId)).toEqual({ done: true });
  expect(await stateOf(first.runId)).toMatchObject({
    status: "failed",
    error: "TIMEOUT",
    artifacts: 0,
    results: null,
  });
  turns = [ARTIFACT];
  const second = await calling(agent);
  await callTool(second.runId, 0, second.callId);
  await late(second.runId);
  expect(await runTurn(second.runId, 1)).toEqual({ done: true });
  expect(await stateOf(second.runId)).toMatchObject({
    status: "failed",
    error: "TIMEOUT",
    turns: 1,
  });
});

test("a cancelled run takes no step, and the step that finds it closes its log", async () => {
  const agent = await agentWith({ version: 1, tools: { builtin: ["artifacts"] } });
  turns = [ARTIFACT];
  const { runId, callId } = await calling(agent);
  await cancelRun(owner, runId);
  expect(await callTool(runId, 0, callId)).toEqual({ done: true });
  expect(await runTurn(runId, 1)).toEqual({ done: true });
  const state = await stateOf(runId);
  expect(state).toMatchObject({
    status: "cancelled",
    artifacts: 0,
    results: null,
    turns: 1,
    held: "0",
  });
  expect(state.lines.at(-1)).toBe("run.failed");
  expect(seen).toHaveLength(1);
});

test("a call that the model never made is not made up: the run fails", async () => {
  const agent = await agentWith({ version: 1, tools: { builtin: ["artifacts"] } });
  turns = [ARTIFACT];
  const { runId } = await calling(agent);
  expect(await callTool(runId, 0, "no-such-call")).toEqual({ done: true });
  expect(await stateOf(runId)).toMatchObject({ status: "failed", error: "EXECUTION_FAILED" });
});

test("an agent that has blocked its writing tools does not call them, and is told so", async () => {
  const agent = await agentWith({ version: 1, tools: { http: [TICKETS] } }, "blocked");
  turns = [TICKET];
  const { runId, callId } = await calling(agent);
  expect(await callTool(runId, 0, callId)).toEqual({ done: false });
  const [row] = await query(
    "SELECT succeeded, output::text AS output FROM run_tool_results WHERE run_id = $1",
    [runId],
  );
  expect(row).toMatchObject({ succeeded: false, output: expect.stringContaining("blocked") });
});

test("a call for a person is asked once, made after a yes, and shown once", async () => {
  const agent = await agentWith({ version: 1, tools: { http: [TICKETS] } }, "approval_required");
  turns = [TICKET];
  const { runId, callId } = await calling(agent);
  const ask = askOf(await callTool(runId, 0, callId));
  if (!ask) throw new Error("No approval was planned.");
  expect(await stateOf(runId)).toMatchObject({ asks: null, results: null });
  expect(await query("SELECT 1 FROM approvals WHERE run_id = $1", [runId])).toEqual([]);
  for (const _ of [1, 2])
    expect(await requestApproval(runId, 0, callId, ask)).toEqual({ outcome: "asked" });
  const asked = await stateOf(runId);
  expect(asked).toMatchObject({ asks: ask.approvalId, results: null });
  expect(asked.lines.filter((type: string) => type === "approval.requested")).toHaveLength(1);
  expect(askOf(await callTool(runId, 0, callId))?.approvalId).toBe(ask.approvalId);
  await resolveApproval(owner, ask.approvalId, "approve", null);
  expect(await stateOf(runId)).toMatchObject({ asks: null });
  expect(await requestApproval(runId, 0, callId, ask)).toEqual({ outcome: "settled" });
  for (const _ of [1, 2]) expect((await callTool(runId, 0, callId)).done).toBe(false);
  const made = await stateOf(runId);
  // Nobody listens there: it was tried.
  expect(made).toMatchObject({ results: [["create_ticket", false]] });
  expect(made.lines.filter((type: string) => type === "approval.resolved")).toHaveLength(1);
  // Whoever is told of it can name the conversation without asking for the run.
  const told = await query(
    `SELECT e.type, e.data ->> 'status' AS status FROM account_events e JOIN runs r ON r.id = $1
     WHERE e.type LIKE 'approval.%' AND e.data ->> 'run_id' = r.id::text
       AND e.data ->> 'conversation_id' = r.conversation_id::text ORDER BY e.id`,
    [runId],
  );
  expect(told).toEqual([
    { type: "approval.requested", status: "pending" },
    { type: "approval.resolved", status: "approved" },
  ]);
});

test.each([
  ["reject", "rejected", "They said: Kim does that."],
  ["expire", "expired", "Nobody approved"],
] as const)(
  "a call that a person let %s is not made, and the model is told why",
  async (how, status, words) => {
    const agent = await agentWith({ version: 1, tools: { http: [TICKETS] } }, "approval_required");
    turns = [TICKET];
    const { runId, callId } = await calling(agent);
    const ask = askOf(await callTool(runId, 0, callId));
    if (!ask) throw new Error("No approval was planned.");
    await requestApproval(runId, 0, callId, ask);
    if (how === "reject") await resolveApproval(owner, ask.approvalId, "reject", "Kim does that.");
    else
      await query("UPDATE approvals SET status = 'expired', decided_at = now() WHERE id = $1", [
        ask.approvalId,
      ]);
    expect(await callTool(runId, 0, callId)).toEqual({ done: false });
    const [row] = await query(
      `SELECT status, (SELECT output::text FROM run_tool_results WHERE run_id = $2) AS output
       FROM approvals WHERE id = $1`,
      [ask.approvalId, runId],
    );
    expect(row).toMatchObject({ status, output: expect.stringContaining(words) });
  },
);

test("nobody is asked for a run that has ended meanwhile", async () => {
  const agent = await agentWith({ version: 1, tools: { http: [TICKETS] } }, "approval_required");
  turns = [TICKET];
  const { runId, callId } = await calling(agent);
  const ask = askOf(await callTool(runId, 0, callId));
  await cancelRun(owner, runId);
  if (!ask) throw new Error("No approval was planned.");
  expect(await requestApproval(runId, 0, callId, ask)).toEqual({ outcome: "ended" });
  expect(await query("SELECT 1 FROM approvals WHERE run_id = $1", [runId])).toEqual([]);
});

const FINISH = { name: "finish", input: { outcome: "built", text: "" } };
const DRAFT = {
  name: "Greeter",
  description: "Greets.",
  skill_content: "# Greet",
  config: { version: 1 },
  write_autonomy: "full_auto",
};

test("a builder's proposal becomes an agent at the end, once; misfits go back", async () => {
  const creation = await requestAgentCreation(owner, {
    text: "Greet.",
    conversationId: null,
    webhookUrl: null,
  });
  if ("replayed" in creation) throw new Error("There is no key to replay.");
  turns = [
    { call: { name: "create_agent", input: { ...DRAFT, name: "" } } },
    { call: { name: "create_agent", input: DRAFT }, calls: [FINISH] },
  ];
  const first = await runTurn(creation.id, 0);
  const call = first.done ? undefined : first.calls[0];
  expect(await callTool(creation.id, 0, call?.toolCallId ?? "")).toEqual({ done: false });
  expect(await stateOf(creation.id)).toMatchObject({
    status: "running",
    results: [["create_agent", false]],
  });
  const second = await runTurn(creation.id, 1);
  const [draft, finish] = second.done ? [] : second.calls;
  for (const _ of [1, 2])
    expect(await callTool(creation.id, 1, draft?.toolCallId ?? "")).toEqual({ done: false });
  expect(
    await query("SELECT 1 FROM agents WHERE account_id = $1 AND name = 'Greeter'", [
      owner.accountId,
    ]),
  ).toEqual([]);
  for (const _ of [1, 2])
    expect(await callTool(creation.id, 1, finish?.toolCallId ?? "")).toEqual({ done: true });
  expect(await stateOf(creation.id)).toMatchObject({
    status: "completed",
    held: "0",
    results: [
      ["create_agent", false],
      ["create_agent", true],
      ["finish", true],
    ],
  });
  expect(
    await query("SELECT name, write_autonomy FROM agents WHERE account_id = $1", [owner.accountId]),
  ).toEqual([{ name: "Greeter", write_autonomy: "full_auto" }]);
});

async function creating(): Promise<string> {
  const run = await requestAgentCreation(owner, {
    text: "Greet.",
    conversationId: null,
    webhookUrl: null,
  });
  if ("replayed" in run) throw new Error("There is no key to replay.");
  return run.id;
}

/** What a run failed of in the step that takes this turn. */
async function failureOf(runId: string, turn: number) {
  expect(await runTurn(runId, turn)).toEqual({ done: true });
  return (await query("SELECT error FROM runs WHERE id = $1", [runId]))[0]?.error;
}
const lastSaid = () => JSON.stringify(seen.at(-1)?.prompt.at(-1));

test("a build whose model only talks is told once to call a tool, then fails", async () => {
  const id = await creating();
  turns = [
    { text: "The agent responds to customers politely." },
    { text: "It is polite, as I said." },
  ];
  expect(await runTurn(id, 0)).toEqual({ done: false, calls: [] });
  expect(await failureOf(id, 1)).toMatchObject({
    code: "AGENT_BUILD_FAILED",
    message: expect.stringMatching(
      /compatible\/scripted answered in words twice.*tools\?.*It said: It is polite, as I said\.$/,
    ),
  });
  expect(lastSaid()).toContain("Words alone change nothing here");
  expect(seen.map(({ toolChoice }) => toolChoice?.type)).toEqual(["required", "required"]);
});

test("a build's question in words is one at once; after a call it is a refusal", async () => {
  const asking = await creating();
  turns = [{ text: "Whom shall it greet?" }];
  expect(await runTurn(asking, 0)).toEqual({ done: true });
  expect(await stateOf(asking)).toMatchObject({
    status: "completed",
    text: "Whom shall it greet?",
  });
  const refusing = await creating();
  turns = [
    { call: { name: "read_guide", input: { topic: "tools" } } },
    { text: "No tool of mine greets." },
  ];
  const first = await runTurn(refusing, 0);
  await callTool(refusing, 0, first.done ? "" : (first.calls[0]?.toolCallId ?? ""));
  expect(await runTurn(refusing, 1)).toEqual({ done: true });
  expect(await stateOf(refusing)).toMatchObject({ text: "No tool of mine greets." });
});

test("a build's cut answer is said to be cut, not empty, nor taken for its end", async () => {
  const id = await creating();
  turns = [
    { text: "First I think about", finish: "length" },
    { text: "", finish: "length" },
    { text: "I go on thinking", finish: "length" },
  ];
  for (const turn of [0, 1]) {
    expect(await runTurn(id, turn)).toEqual({ done: false, calls: [] });
  }
  expect(await failureOf(id, 2)).toMatchObject({
    code: "AGENT_BUILD_FAILED",
    message: expect.stringMatching(/cut off at the limit of one message 3 times/),
  });
  const told = lastSaid();
  expect(told).toContain("cut off at the limit of one message");
  expect(told).not.toContain("empty");
});

/** The first turn of an edit, which drafts a change and is to end with it. */
async function editing(
  agent: AgentRecord,
  input: object,
): Promise<{ runId: string; callId: string; finishId: string }> {
  const run = await requestAgentEdit(owner, agent.id, {
    text: "Change it.",
    conversationId: null,
    webhookUrl: null,
    releaseNote: "changed",
  });
  if ("replayed" in run) throw new Error("There is no key to replay.");
  turns = [{ call: { name: "edit_agent", input }, calls: [FINISH] }];
  const next = await runTurn(run.id, 0);
  const [call, finish] = next.done ? [] : next.calls;
  return { runId: run.id, callId: call?.toolCallId ?? "", finishId: finish?.toolCallId ?? "" };
}

const currentOf = async (agent: AgentRecord) =>
  (await query("SELECT name, version FROM agents WHERE id = $1", [agent.id]))[0];

test("an edit is stored on the version that the model saw, as the run's end", async () => {
  const agent = await newAgent(owner);
  const { runId, callId, finishId } = await editing(agent, {
    name: "Better",
    summary: "Named it better.",
  });
  for (const _ of [1, 2]) expect(await callTool(runId, 0, callId)).toEqual({ done: false });
  for (const _ of [1, 2]) expect(await callTool(runId, 0, finishId)).toEqual({ done: true });
  expect(await stateOf(runId)).toMatchObject({
    status: "completed",
    text: "Named it better.",
    held: "0",
  });
  expect(await currentOf(agent)).toEqual({ name: "Better", version: "1.0.1" });
});

test("an edit of an outdated version is not stored: the model is asked again", async () => {
  const agent = await newAgent(owner);
  const { runId, callId } = await editing(agent, { name: "Better", summary: "Named it better." });
  await updateAgent(owner, agent.id, { name: "Meanwhile" });
  expect(await callTool(runId, 0, callId)).toEqual({ done: false });
  expect(await stateOf(runId)).toMatchObject({
    status: "running",
    results: [["edit_agent", false]],
  });
  expect(await currentOf(agent)).toMatchObject({ name: "Meanwhile" });
});

test("an edit of nothing that there is goes back to the model", async () => {
  const agent = await newAgent(owner);
  for (const input of [
    { name: "", summary: "No name." },
    { colour: "red", summary: "Red." },
  ]) {
    const { runId, callId } = await editing(agent, input);
    expect(await callTool(runId, 0, callId)).toEqual({ done: false });
    expect(await stateOf(runId)).toMatchObject({
      status: "running",
      results: [["edit_agent", false]],
    });
  }
  expect(await currentOf(agent)).toEqual({ name: "Helper", version: "1.0.0" });
});

test("a build that crashed after its last word ends with the repeated step, unasked", async () => {
  const agent = await newAgent(owner);
  const { runId, callId } = await editing(agent, { name: "Better", summary: "Named it better." });
  await callTool(runId, 0, callId);
  turns = [{ text: "That was all." }];
  await query(
    `CREATE FUNCTION crash() RETURNS trigger
       LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'crash'; END $$`,
    [],
  );
  await query(
    "CREATE TRIGGER crash BEFORE INSERT ON agent_versions FOR EACH ROW EXECUTE FUNCTION crash()",
    [],
  );
  await expect(runTurn(runId, 1)).rejects.toThrow("crash");
  await query("DROP TRIGGER crash ON agent_versions", []);
  const asked = seen.length;
  for (const _ of [1, 2]) expect(await runTurn(runId, 1)).toEqual({ done: true });
  expect(seen).toHaveLength(asked);
  expect(await stateOf(runId)).toMatchObject({
    status: "completed",
    text: "Named it better.\n\nThat was all.",
    turns: 2,
    charges: 2,
    held: "0",
  });
  expect(await currentOf(agent)).toEqual({ name: "Better", version: "1.0.1" });
});

test("an edit of an agent that was archived meanwhile fails, and stores nothing", async () => {
  const agent = await newAgent(owner);
  const { runId, callId, finishId } = await editing(agent, {
    name: "Better",
    summary: "Named it better.",
  });
  expect(await callTool(runId, 0, callId)).toEqual({ done: false });
  await query("UPDATE agents SET status = 'archived' WHERE id = $1", [agent.id]);
  expect(await callTool(runId, 0, finishId)).toEqual({ done: true });
  expect(await stateOf(runId)).toMatchObject({ status: "failed", error: "EXECUTION_FAILED" });
  expect(await currentOf(agent)).toMatchObject({ name: "Helper" });
});
