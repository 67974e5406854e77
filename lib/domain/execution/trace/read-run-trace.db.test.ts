import { APICallError } from "@ai-sdk/provider";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import { deleteRun } from "@/lib/domain/runs/delete-run";
import { getRun } from "@/lib/domain/runs/run-view";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import type { TraceSpan } from "@/lib/model/run/trace-span";
import { type ScriptedTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "scripted",
  DEFAULT_MODEL: "compatible/scripted",
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let turns: (ScriptedTurn | Error)[];

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  injectModel(
    scriptedModel("compatible/scripted", () => {
      const turn = turns.shift() ?? { text: "Nothing more." };
      if (turn instanceof Error) throw turn;
      return turn;
    }),
  );
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

const refusal = (statusCode: number) =>
  new APICallError({
    message: "no",
    url: "http://127.0.0.1:9/v1",
    requestBodyValues: {},
    statusCode,
    responseBody: "the model is away",
  });
const todo = (text: string) => ({ name: "todo", input: { items: [{ text, done: false }] } });

/** Drives a run to its end as the engine does. */
async function play(script: (ScriptedTurn | Error)[]): Promise<{ id: string; spans: TraceSpan[] }> {
  turns = [...script];
  const agent = await newAgent(owner);
  await updateAgent(owner, agent.id, { config: { version: 1 } });
  const { id } = await startTestRun(owner, {
    agentId: agent.id,
    input: { request: "Look around." },
  });
  for (let turn = 0; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) break;
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
  return { id, spans: await readRunTrace(owner, id) };
}

test("a trace shows a run's wait to its last turn, parts in order, credits adding up", async () => {
  const { id, spans } = await play([
    { text: "I note it.", call: todo("Look"), usage: { input: 100, output: 20 } },
    { text: "Done.", usage: { input: 150, output: 5 } },
  ]);
  const tool = spans.find(({ kind }) => kind === "tool")?.spanId;
  expect(
    spans.map(({ spanId, parentId, kind, status }) => [spanId, parentId, kind, status]),
  ).toEqual([
    ["queue", null, "queue", "succeeded"],
    ["turn-0", null, "turn", "succeeded"],
    ["model-0", "turn-0", "model", "succeeded"],
    [tool, "turn-0", "tool", "succeeded"],
    ["turn-1", null, "turn", "succeeded"],
    ["model-1", "turn-1", "model", "succeeded"],
  ]);
  expect(spans[2]).toMatchObject({
    name: "compatible/scripted",
    attributes: {
      input_tokens: 100,
      output_tokens: 20,
      cached_input_tokens: 0,
      finish_reason: "tool-calls",
    },
    input: [
      { role: "user", content: { request: "Look around." } },
      { role: "user", content: [expect.stringContaining("<time>")] },
    ],
    output: [{ type: "text", text: "I note it." }, { type: "tool-call" }],
  });
  expect(spans[3]).toMatchObject({ name: "todo", input: todo("Look").input, error: null });
  expect(spans[5]).toMatchObject({ input: [{ role: "tool", span_id: tool }] });
  const { usage } = await getRun(owner, id);
  expect(spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(usage.credits, 6);
  for (const { startedAt, endedAt } of spans)
    expect(endedAt?.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
});

test("a model's failed calls are told, tried again or the run's last", async () => {
  const { spans } = await play([refusal(503), { text: "Back again." }]);
  expect(spans.filter(({ parentId }) => parentId === "turn-0")).toMatchObject([
    {
      kind: "retry",
      status: "failed",
      error: { code: "MODEL_UNAVAILABLE", message: expect.stringContaining("the model is away") },
    },
    { kind: "model", status: "succeeded" },
  ]);
  const failed = await play([refusal(400)]);
  expect(failed.spans.slice(1)).toMatchObject([
    { kind: "turn", status: "failed" },
    { kind: "model", status: "failed", parentId: "turn-0", error: { code: "EXECUTION_FAILED" } },
  ]);
});

test("no secret of the account is in a trace, and what is long is cut and says so", async () => {
  await createSecret(owner, {
    name: "MAIL_KEY",
    value: "mail-secret-value",
    description: null,
    allowedHosts: ["api.example.com"],
  });
  const { spans } = await play([
    { call: todo("use mail-secret-value") },
    { call: todo("x".repeat(70_000)) },
    { text: "Done." },
  ]);
  expect(JSON.stringify(spans)).not.toContain("mail-secret-value");
  const [first, second] = spans.filter(({ kind }) => kind === "tool");
  expect(first).toMatchObject({ truncated: false, input: { items: [{ text: "use [redacted]" }] } });
  expect(second?.truncated).toBe(true);
  expect(second?.input).toHaveLength(65_536);
});

test("what is shown of an input or output has 64 KB, cut between characters", async () => {
  const shown = async (text: string) =>
    (await play([{ call: todo(text) }, { text: "Done." }])).spans.find(
      ({ kind }) => kind === "tool",
    );
  for (const text of ["ß".repeat(40_000), "🛫".repeat(40_000)]) {
    const span = await shown(text);
    expect(span?.truncated).toBe(true);
    expect(Buffer.byteLength(String(span?.input))).toBeGreaterThan(65_530);
    expect(Buffer.byteLength(String(span?.input))).toBeLessThanOrEqual(65_536);
    expect(span?.input).not.toContain("\ufffd");
  }
  expect(await shown("ß".repeat(30_000))).toMatchObject({
    truncated: false,
    input: todo("ß".repeat(30_000)).input,
  });
});

test("a call that failed says why in its span, and what it was asked", async () => {
  const call = { name: "no_such_tool", input: { far: "away" } };
  const { spans } = await play([{ call }, { text: "It could not be done." }]);
  expect(spans.find(({ kind }) => kind === "tool")).toMatchObject({
    status: "failed",
    name: "no_such_tool",
    input: call.input,
    error: { code: "TOOL_FAILED", message: expect.stringContaining("no_such_tool") },
  });
});

test("a trace is its account's alone, and goes with its run", async () => {
  const { id } = await play([refusal(400)]);
  await expect(readRunTrace(await database.account(), id)).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
  });
  await deleteRun(owner, id);
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS left FROM run_spans WHERE run_id = $1",
    [id],
  );
  expect(rows).toEqual([{ left: 0 }]);
});

test("a trace tells which hosts the input lets fetch unasked, no pasted ones", async () => {
  const input = {
    request: "Read wiki.example.com.",
    letter: `See evil.example.com.${" ".repeat(2_000)}`,
  };
  const { id } = await startTestRun(owner, { input });
  const hosts = async () => (await readRunTrace(owner, id))[0]?.attributes;
  expect(await hosts()).toMatchObject({ hosts_named: ["wiki.example.com"] });
  await database.pool.query("UPDATE runs SET origin = 'agent' WHERE id = $1", [id]);
  expect(await hosts()).not.toHaveProperty("hosts_named");
});
