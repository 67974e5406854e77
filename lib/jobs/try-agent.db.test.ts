import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { requestAgentCreation } from "@/lib/domain/builds/request-agent-creation";
import { runShadow, type ShadowRequest } from "@/lib/domain/builds/shadow-run";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { Principal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { executeRun } from "@/lib/jobs/execute-run";
import { startTarget } from "@/lib/jobs/test/start-target";
import { isTerminal } from "@/lib/model/run/run-status";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const target = await startTarget();

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
let builder: (seen: SeenTurn) => ScriptedTurn | Promise<ScriptedTurn>;
let tried: (seen: SeenTurn) => ScriptedTurn;

beforeAll(async () => {
  database = await openDomainDatabase({ env: { EGRESS_ALLOW: target.host } });
  database.service.give(
    fileStore,
    createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-tries-"))),
  );
  injectModel(
    scriptedModel("builtin/offline", (seen) =>
      /^You (design|edit)/.test(seen.system) ? builder(seen) : tried(seen),
    ),
  );
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 20,
  });
});
beforeEach(async () => {
  owner = await database.account();
  target.received.length = 0;
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
  await target.close();
});

const GET_ORDER = {
  name: "get_order",
  description: "An order.",
  method: "GET",
  url: "https://shop.example.com/orders/{id}",
  input_schema: {
    type: "object",
    properties: { id: { type: "integer" } },
    required: ["id"],
    additionalProperties: false,
  },
};
const SEND = {
  name: "send",
  description: "Sends.",
  method: "POST",
  url: "https://shop.example.com/mails",
  input_schema: { type: "object", properties: { text: { type: "string" } } },
};
const OUTPUT = {
  type: "object",
  properties: { state: { type: "string" } },
  required: ["state"],
  additionalProperties: false,
};
const draft = (config: object = {}, more: object = {}) => ({
  name: "create_agent",
  input: {
    name: "Orders",
    description: "Looks up orders.",
    skill_content: "# Orders\n\nLook the order up with get_order.",
    config: { version: 1, ...config },
    write_autonomy: "full_auto",
    ...more,
  },
});
const finish = { name: "finish", input: { outcome: "built", text: "It looks up orders." } };
const toolTurns = ({ prompt }: SeenTurn) => prompt.filter(({ role }) => role === "tool").length;
const lastResults = ({ prompt }: SeenTurn) => {
  const message = prompt.findLast(({ role }) => role === "tool");
  return message?.role === "tool"
    ? message.content.flatMap((part) =>
        part.type === "tool-result" && part.output.type === "json" ? [part.output.value] : [],
      )
    : [];
};

async function create(text: string): Promise<RunView> {
  const run = await requestAgentCreation(owner, { text, conversationId: null, webhookUrl: null });
  if ("replayed" in run) throw new Error("there is no key to replay");
  await expect.poll(async () => isTerminal((await getRun(owner, run.id)).status)).toBe(true);
  return getRun(owner, run.id);
}

/** Drafts, tries once, and ends: what the try gave. */
async function tryOnce(
  args: object,
  {
    config = {},
    more = {},
    text = "Look up orders.",
  }: { config?: object; more?: object; text?: string } = {},
) {
  let given: unknown = null;
  builder = (seen) => {
    if (toolTurns(seen) === 0)
      return { call: draft(config, more), calls: [{ name: "try_agent", input: args }] };
    given = lastResults(seen).at(-1);
    return { call: finish };
  };
  const run = await create(text);
  return { run, given };
}

test("a try is the run it stands for: answered by its builder, in form, untold", async () => {
  const seen: SeenTurn[] = [];
  tried = (turn) => {
    seen.push(turn);
    if (toolTurns(turn) === 0)
      return {
        call: { name: "get_order", input: { id: 1 } },
        calls: [{ name: "get_order", input: { id: 2 } }],
      };
    if (toolTurns(turn) === 1)
      return {
        call: { name: "get_order", input: { id: 3 } },
        calls: [{ name: "send", input: { text: "x" } }],
      };
    return { text: '{"state": "sent"}' };
  };
  const { run, given } = await tryOnce(
    {
      input: { request: "Where is 1?" },
      answers: {
        get_order: [
          { id: 1, state: "sent" },
          { id: 2, state: "lost" },
          { error: "No such order." },
        ],
        send: { status: 202, body: {} },
      },
    },
    {
      config: {
        output_schema: OUTPUT,
        limits: { max_steps: 3 },
        tools: { builtin: [], http: [GET_ORDER, SEND] },
        permissions: { ask: ["send"] },
      },
    },
  );
  expect(given).toMatchObject({
    outcome: "completed",
    finish_reason: "stop",
    answer: '{"state": "sent"}',
    fits_output_schema: true,
    problem: null,
    turns: 3,
    credits: expect.any(Number),
    calls: [
      {
        name: "get_order",
        arguments: '{"id":1}',
        outcome: expect.stringContaining("sent"),
        by: "answers",
      },
      { name: "get_order", outcome: expect.stringContaining("lost") },
      { name: "get_order", outcome: expect.stringContaining("failed: ") },
      { name: "send", waits_for_a_person: true, outcome: expect.stringContaining("202") },
    ],
  });
  expect(lastResults(seen[1] as SeenTurn)).toEqual([
    { status: 200, body: { id: 1, state: "sent" } },
    { status: 200, body: { id: 2, state: "lost" } },
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/dry run|try_agent|shadow/i);
  expect(seen[0]?.system).toContain("You have at most 3 turns");
  expect(JSON.stringify(seen[2]?.prompt)).toContain("This is your last turn");
  expect(seen[2]?.tools ?? []).toEqual([]);
  expect(run.status).toBe("completed");
  const spans = (await readRunTrace(owner, run.id)).filter(({ parentId }) =>
    parentId?.startsWith("tool-"),
  );
  expect(spans.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "model builtin/offline",
    ...["tool get_order", "tool get_order", "model builtin/offline"],
    ...["tool get_order", "tool send", "model builtin/offline"],
  ]);
});

test("a try stops at the first call outside that nobody has answered, and says which", async () => {
  let turns = 0;
  tried = () => {
    turns += 1;
    return { call: { name: "send", input: { text: "Hello Ann" } } };
  };
  const { given } = await tryOnce(
    { input: { request: "Go." } },
    { config: { tools: { builtin: [], http: [SEND] } } },
  );
  expect(given).toMatchObject({ outcome: "stopped", answer: null, calls: [] });
  expect(JSON.stringify(given)).toContain("Hello Ann");
  expect(turns).toBe(1);
});

test.each([
  ["fails", () => Promise.reject(new Error("no such host")), "EXECUTION_FAILED"],
  [
    "is cut",
    () => ({ text: "This answer is cut in the mid", finish: "length" as const }),
    "OUTPUT_TRUNCATED",
  ],
  ["says nothing", () => ({ text: "" }), "EMPTY_ANSWER"],
  [
    "goes on for ever",
    (seen: SeenTurn) => ({
      call: { name: "todo", input: { items: [{ text: `${toolTurns(seen)}`, done: false }] } },
    }),
    "STEP_LIMIT_EXCEEDED",
  ],
])("a model of the draft that %s is a result: the draft is stored", async (_, script, code) => {
  tried = script as (seen: SeenTurn) => ScriptedTurn; // one of them rejects, as a provider does
  const { run, given } = await tryOnce(
    { input: { request: "Go." } },
    { config: { limits: { max_steps: 4 } } },
  );
  expect(given).toMatchObject({ outcome: "failed", problem: expect.stringContaining(code) });
  expect(run).toMatchObject({ status: "completed", result: { build: { outcome: "built" } } });
});

test("an answer that does not fit the output_schema is told", async () => {
  tried = () => ({ text: "It was sent." });
  const { given } = await tryOnce(
    { input: { request: "Go." } },
    { config: { output_schema: OUTPUT } },
  );
  expect(given).toMatchObject({
    outcome: "failed",
    fits_output_schema: false,
    said_last: "It was sent.",
    problem: expect.stringContaining("MODEL_CANNOT_ANSWER"),
  });
});

test("what a try is given as files it reads, and what it writes stays with it", async () => {
  let read: unknown = null;
  tried = (seen) => {
    if (toolTurns(seen) === 0)
      return {
        call: { name: "files_read", input: { path: "run:sales.csv" } },
        calls: [
          { name: "files_write", input: { path: "run:out.txt", content: "total 3" } },
          { name: "artifacts", input: { from: "run:out.txt" } },
        ],
      };
    read = lastResults(seen);
    return { text: "Done." };
  };
  const { run, given } = await tryOnce(
    { input: { request: "Add up." }, files: { "sales.csv": "day,total\n1,3" } },
    { config: { tools: { builtin: ["workspace_files", "artifacts"] } } },
  );
  expect(JSON.stringify(read)).toContain("day,total");
  expect(given).toMatchObject({
    outcome: "completed",
    artifacts: [{ name: "out.txt", size_bytes: 7 }],
    calls: [{ by: "works" }, { by: "works" }, { by: "works" }],
  });
  for (const table of ["run_files", "artifacts"])
    expect(
      (await database.pool.query(`SELECT 1 FROM ${table} WHERE run_id = $1`, [run.id])).rowCount,
    ).toBe(0);
});

test("only hosts that the person named are read from, and as somebody else's word", async () => {
  const url = `http://${target.host}/orders`;
  const call = { name: "web_fetch", input: { url } };
  tried = (seen) => (toolTurns(seen) === 0 ? { call } : { text: "Read." });
  const config = { tools: { builtin: ["web_fetch"] } };
  const unnamed = await tryOnce({ input: { request: "Go." } }, { config });
  expect(unnamed.given).toMatchObject({ outcome: "stopped" });
  expect(target.received).toEqual([]);
  const named = await tryOnce(
    { input: { request: "Go." } },
    { config, text: `Read ${url} and tell me.` },
  );
  expect(named.given).toMatchObject({
    outcome: "completed",
    read_outside: true,
    calls: [{ name: "web_fetch", by: "reads" }],
  });
  expect(target.received).toHaveLength(1);
  const marked = await database.pool.query("SELECT seen_private FROM conversations WHERE id = $1", [
    named.run.conversationId,
  ]);
  expect(marked.rows).toEqual([{ seen_private: true }]);
});

test("a repeated shadow run goes on where it was: nothing is made or paid twice", async () => {
  let calls = 0;
  tried = (seen) => {
    calls += 1;
    return toolTurns(seen) === 0
      ? { call: { name: "get_order", input: { id: 1 } } }
      : { text: `Said ${calls}.` };
  };
  const outcomes: unknown[] = [];
  builder = async (seen) => {
    if (toolTurns(seen) === 0) return { call: draft() };
    const { rows } = await database.pool.query<{ id: string }>(
      "SELECT id FROM runs WHERE account_id = $1",
      [owner.accountId],
    );
    const build = await loadRun(String(rows[0]?.id));
    const request: ShadowRequest = {
      key: "again",
      toolCallId: null,
      agent: {
        name: "Orders",
        description: null,
        skillContent: "Look up.",
        config: { version: 1, tools: { builtin: [], http: [GET_ORDER as never] } },
        configContent: "version: 1\n",
        dashboardTemplate: null,
        writeAutonomy: "full_auto",
      },
      input: { request: "Go." },
      answers: { get_order: { id: 1 } },
      files: [],
      workspace: null,
      named: new Set(),
      limits: { deadline: new Date(Date.now() + 60_000), maxCreditsMicros: null },
    };
    // Its log is not written.
    const step = { runId: build.id, signal: new AbortController().signal } as never;
    for (const _ of [1, 2]) outcomes.push(await runShadow(build, step, request));
    return { call: finish };
  };
  const run = await create("Look up orders.");
  expect(run.status).toBe("completed");
  expect(calls).toBe(2);
  expect(outcomes[0]).toMatchObject({ is: "completed", result: { text: "Said 2." }, turns: 2 });
  expect(outcomes[1]).toEqual(outcomes[0]);
  const charged = await database.pool.query(
    "SELECT step_key FROM run_usage WHERE run_id = $1 AND step_key LIKE 'again-%'",
    [run.id],
  );
  expect(charged.rowCount).toBe(2);
});

test("a try leaves the build half of its ceiling", async () => {
  tried = (seen) => ({
    call: { name: "todo", input: { items: [{ text: `${toolTurns(seen)}`, done: false }] } },
    usage: { input: 10, output: 100_000 },
  });
  let given: unknown = null;
  builder = (seen) => {
    if (toolTurns(seen) === 0)
      return { call: draft(), calls: [{ name: "try_agent", input: { starter: "Go." } }] };
    given = lastResults(seen).at(-1);
    return { call: finish };
  };
  const asked = await requestAgentCreation(owner, {
    text: "Look up.",
    conversationId: null,
    webhookUrl: null,
    maxCreditsMicros: 40_000_000n,
  });
  if ("replayed" in asked) throw new Error("there is no key to replay");
  await expect.poll(async () => isTerminal((await getRun(owner, asked.id)).status)).toBe(true);
  expect(given).toMatchObject({
    outcome: "failed",
    problem: expect.stringContaining("BUDGET_EXCEEDED"),
  });
  expect(await getRun(owner, asked.id)).toMatchObject({
    status: "completed",
    result: { build: { outcome: "built" } },
  });
});

test("a connector that reads from a named host asks nobody; a page's host asks", async () => {
  const url = `http://${target.host}/orders`;
  const http = [{ ...GET_ORDER, url }];
  tried = (seen) =>
    toolTurns(seen) === 0 ? { call: { name: "get_order", input: { id: 1 } } } : { text: "Read." };
  const { run, given } = await tryOnce(
    { input: { request: "Go." } },
    { config: { tools: { builtin: [], http } }, text: `Orders are at ${url}.` },
  );
  expect(given).toMatchObject({ outcome: "completed", calls: [{ by: "reads" }] });
  expect(target.received).toHaveLength(1);
  const configs = () =>
    database.pool.query("SELECT config FROM agents WHERE account_id = $1 ORDER BY id", [
      owner.accountId,
    ]);
  expect((await configs()).rows[0].config).not.toHaveProperty("permissions");
  expect(run.result?.build?.assumptions).toEqual([]);
  // What was read comes first here: the page may have said what to connect.
  builder = (seen) => {
    if (toolTurns(seen) === 0)
      return {
        call: draft({ tools: { builtin: ["web_fetch"] } }),
        calls: [{ name: "try_agent", input: { input: { request: "Go." } } }],
      };
    return toolTurns(seen) === 1
      ? { call: draft({ tools: { builtin: [], http } }) }
      : { call: finish };
  };
  tried = (seen) =>
    toolTurns(seen) === 0 ? { call: { name: "web_fetch", input: { url } } } : { text: "Read." };
  await create(`Orders are at ${url}.`);
  expect((await configs()).rows[1].config).toMatchObject({ permissions: { ask: ["get_order"] } });
});
