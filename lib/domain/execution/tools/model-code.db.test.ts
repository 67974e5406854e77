import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { modelCode } from "@/lib/domain/execution/tools/model-code";
import { readRunActions } from "@/lib/domain/execution/trace/read-run-actions";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { Principal } from "@/lib/domain/principal";
import { callTool, loadRun, runTurn } from "@/lib/domain/run-steps";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { toMicros } from "@/lib/model/run/run-result";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";
import type { ToolContext } from "@/lib/runtime/tools/tool";

// An agent's Python on the servers of its own model's provider, where its config asks for that.

const MODEL = "openai/gpt-5.1";
const CODE = "import numpy as np\nprint(np.mean([1, 2, 6]))";
let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let ran: ScriptedTurn;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: { OPENAI_API_KEY: "k", DEFAULT_MODEL: MODEL, LOG_LEVEL: "silent" },
  });
  injectModel(
    scriptedModel(MODEL, (shown) => {
      seen.push(shown);
      if (isCode(shown)) return ran;
      return shown.prompt.some(({ role }) => role === "tool")
        ? { text: "It is 3." }
        : { call: { name: "run_python", input: { code: CODE } } };
    }),
  );
});
beforeEach(async () => {
  seen = [];
  ran = ranCode(CODE, [{ type: "logs", logs: "3.0\n" }]);
  owner = await database.account();
});
afterAll(() => database.close());

const isCode = ({ tools }: SeenTurn) => tools?.some(({ type }) => type === "provider") === true;

/** What OpenAI's package makes of code that ran. */
const ranCode = (code: string, outputs: object[]): ScriptedTurn => ({
  text: "done",
  parts: [
    {
      type: "tool-call",
      toolCallId: "ci_1",
      toolName: "code_interpreter",
      input: JSON.stringify({ code, containerId: "cntr_1" }),
      providerExecuted: true,
    },
    {
      type: "tool-result",
      toolCallId: "ci_1",
      toolName: "code_interpreter",
      result: { outputs: JSON.parse(JSON.stringify(outputs)) },
    },
  ],
  usage: { input: 900, output: 60 },
});

/** A run that computes once and then answers. */
async function compute(
  tools = "{builtin: [run_python], python: provider}",
  maxCreditsMicros: bigint | null = null,
): Promise<RunView> {
  const agent = await newAgent(owner, `config:\n  version: 1\n  tools: ${tools}\n`);
  const { id } = await startTestRun(owner, { agentId: agent.id, maxCreditsMicros });
  for (let turn = 0; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) return getRun(owner, id);
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
}

const resultOf = async ({ id }: RunView) => [...(await loadRun(id)).transcript.results.values()][0];

test("the code alone goes to the provider in a call, whose output is the result", async () => {
  const run = await compute();
  expect(run).toMatchObject({ status: "completed", result: { text: "It is 3." } });
  const [asking] = seen.filter(isCode);
  expect(asking?.tools).toEqual([
    { type: "provider", id: "openai.code_interpreter", name: "code_interpreter", args: {} },
  ]);
  expect(asking?.prompt.slice(1)).toEqual([
    { role: "user", content: [{ type: "text", text: CODE }] },
  ]);
  expect(await resultOf(run)).toMatchObject({ succeeded: true, output: { output: "3.0\n" } });
  expect((await readRunActions(run))?.actions).toMatchObject([
    { tool: "run_python", status: "succeeded" },
  ]);
});

test("its tokens and its container are paid by the facts' prices, and traced", async () => {
  const run = await compute();
  const { rows } = await database.pool.query(
    `SELECT units::int, credits_micros::int AS micros FROM run_usage
     WHERE run_id = $1 AND units > 0`,
    [run.id],
  );
  expect(rows).toEqual([{ units: 1, micros: 30_000_000 }]);
  expect(run.usage.breakdown).toMatchObject([{ model: MODEL, input_tokens: 920, units: 1 }]);
  const spans = await readRunTrace(owner, run.id);
  expect(spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(run.usage.credits, 6);
});

test.each([
  ["told", ranCode(CODE, []).parts?.slice(0, 1), [{ units: 1, micros: 30_000_000 }]],
  ["not told", [], []],
] as const)(
  "a call that is cut pays its tokens, and its container where the stream told of it: %s",
  async (_, parts, containers) => {
    const waits = Promise.withResolvers<void>();
    ran = { parts: [...(parts ?? [])], onWait: waits.resolve };
    const agent = await newAgent(
      owner,
      "config:\n  version: 1\n  tools: {builtin: [run_python], python: provider}\n",
    );
    const { id } = await startTestRun(owner, { agentId: agent.id });
    const run = await loadRun(id);
    const cut = new AbortController();
    const context = { toolCallId: "call", signal: cut.signal } as ToolContext; // what it uses
    const called = modelCode(run)?.run(CODE, context);
    await waits.promise;
    cut.abort();
    await expect(called).rejects.toThrow("aborted");
    const paid = async (which: string) => {
      const { rows } = await database.pool.query<{ units: number; micros: number }>(
        `SELECT units::int, credits_micros::int AS micros FROM run_usage
       WHERE run_id = $1 AND step_key LIKE '%' || $2`,
        [id, which],
      );
      return rows;
    };
    expect(await paid("-containers")).toEqual(containers);
    expect(await paid("-code")).toEqual([{ units: 0, micros: expect.any(Number) }]);
    // To the millionth: what is gone from the wallet is what the calls cost and the run holds.
    const { rows } = await database.pool.query(
      `SELECT (available_micros + (SELECT sum(amount_micros) FROM credit_holds
         WHERE account_id = a.id) + (SELECT sum(credits_micros) FROM run_usage
         WHERE account_id = a.id))::text AS all
     FROM accounts a WHERE a.id = $1`,
      [owner.accountId],
    );
    expect(rows).toEqual([{ all: String(toMicros(100_000)) }]);
  },
);

test("a figure in the answer is a file of the run; others are said to be lost", async () => {
  ran = ranCode(CODE, [
    { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" },
    { type: "image", url: "https://api.openai.com/elsewhere.png" },
  ]);
  const run = await compute();
  const result = await resultOf(run);
  expect(result?.output).toMatchObject({
    saved: [{ path: expect.stringMatching(/^run:python\/.+-1\.png$/), size_bytes: 8 }],
    files_lost: 1,
    note: expect.stringContaining("stay with the model's provider"),
  });
  const { rows } = await database.pool.query(
    "SELECT content_type FROM run_files WHERE run_id = $1",
    [run.id],
  );
  expect(rows).toEqual([{ content_type: "image/png" }]);
});

test("code the provider's model changed is shown, and none at all is a failure", async () => {
  ran = ranCode("print(3)", [{ type: "logs", logs: "3" }]);
  expect((await resultOf(await compute()))?.output).toMatchObject({
    ran_instead: "print(3)",
    warning: expect.stringContaining("other code"),
  });
  ran = { text: "It prints 3.0, I am sure." };
  const nothing = await resultOf(await compute());
  expect(nothing).toMatchObject({ succeeded: false });
  expect(JSON.stringify(nothing?.output)).toContain("ran no code");
  expect(JSON.stringify(nothing?.output)).not.toContain("sure");
});

test("a run that cannot pay for a container is told so, and goes on without", async () => {
  const run = await compute(undefined, toMicros(45));
  expect(run.status).toBe("completed");
  expect(seen.filter(isCode)).toEqual([]);
  expect(JSON.stringify(seen.at(-1)?.prompt)).toContain("The code was not run");
});

test("unless the config asks for it and the provider has it, Python stays here", async () => {
  const own = await newAgent(owner, "config:\n  version: 1\n  tools: {builtin: [run_python]}\n");
  const { id } = await startTestRun(owner, { agentId: own.id });
  await runTurn(id, 0);
  const described = seen
    .at(-1)
    ?.tools?.flatMap((tool) =>
      tool.type === "function" && tool.name === "run_python" ? [tool.description] : [],
    );
  expect(described?.[0]).toContain("in a sandbox");
});
