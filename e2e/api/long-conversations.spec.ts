import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { availableMicros, createAccount, type TestAccount } from "../support/accounts";
import { createAgent } from "../support/agents";
import { type ModelScript, type ScriptTurn, textOfMessages } from "../support/model-script";
import { RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { freePort } from "../support/servers";
import { startService } from "../support/start-service";
import { test as base, expect } from "../support/test";

// Conversations and runs that outgrow the window of their model, which is a narrow one here.
const WINDOW_TOKENS = 40_000;

const test = base.extend<object, { narrow: TestAccount }>({
  narrow: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-long-"));
      const dataDir = path.join(folder, "data");
      const service = await startService({
        port: await freePort(),
        dataDir,
        modelUrl,
        logFile: `${folder}.log`,
        environment: { OPENAI_COMPATIBLE_WINDOWS: String(WINDOW_TOKENS) },
      });
      await use(await createAccount(service.baseUrl, { credits: 100_000 }, { DATA_DIR: dataDir }));
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

type Call = Awaited<ReturnType<ModelScript["calls"]>>[number];
const systemOf = (call: Call | undefined) => String(call?.body.messages[0]?.content);
const isSummary = (call: Call | undefined) => systemOf(call).startsWith("You sum up");
/** Words of a third of what is shown of a conversation, none of which is said twice. */
const words = (name: string) =>
  Array.from(
    { length: 1_600 },
    (_, at) => `${name}-${LETTERS[at % 40]}${LETTERS[Math.floor(at / 40)]}`,
  ).join(" ");
const LETTERS = Array.from({ length: 40 }, (_, at) =>
  [at % 20, Math.floor(at / 20)].map((digit) => String.fromCharCode(97 + digit)).join(""),
);
const SUMMARY = "They spoke of many words; the code is XK-42.";
const CODE: ScriptTurn = {
  text: "I compute.",
  tool_calls: [{ name: "run_javascript", args: { code: "6 * 7.5" } }],
};

/** Runs of one conversation, one for each question; their script takes a turn at each call. */
async function converse({ api }: TestAccount, script: ModelScript, questions: string[]) {
  const runs: Awaited<ReturnType<typeof waitForRun>>[] = [];
  for (const question of questions) {
    const { run_id } = await startRun(api, {
      input: { question: `${question} ${script.mark}` },
      ...(runs[0] && { conversation_id: runs[0].conversation_id }),
    });
    runs.push(await waitForRun(api, run_id));
  }
  return runs;
}

const linesOf = async ({ api }: TestAccount, runId: string) =>
  (await RunStream.follow(api, runId)).readAll();

test("a conversation past its window is summed up once, paid for; newest turns stay as is", async ({
  narrow,
  script,
}) => {
  const one = await script(
    { text: `The code is XK-42. ${words("first")}` },
    { text: words("second") },
    CODE,
    { text: `It is 45. ${words("third")}` },
    { text: SUMMARY, usage: { input: 5_000, output: 50 } },
    { text: "Enough.", usage: { input: 3_000, output: 10 } },
    { text: "XK-42." },
  );
  const wallet = await availableMicros(narrow.api);
  const runs = await converse(narrow, one, [
    "Give me the code.",
    "And more?",
    "What is six times 7.5?",
    "Still more?",
    "And the code?",
  ]);
  const [, , , fourth, fifth] = runs;
  expect(runs.map(({ status }) => status)).toEqual(Array(5).fill("completed"));
  const calls = await one.calls();
  expect(calls.map(isSummary)).toEqual([false, false, false, false, true, false, false]);
  const [, , , , summed, answered, recalled] = calls;

  // What it is asked to sum up: the older part alone, whole where it fits, with no tool.
  const record = textOfMessages(summed);
  for (const said of ["Give me the code.", "first-aaaa", "And more?", "second-tbtb"])
    expect(record).toContain(said);
  for (const said of ["six times 7.5", "third-aaaa", "Still more?"])
    expect(record).not.toContain(said);
  expect(record).not.toContain("characters left out");
  expect(summed?.body.tools ?? []).toEqual([]);

  // The next prompt: the summary, then the newest run as it was, its call and result as such.
  for (const call of [answered, recalled]) {
    const { messages } = call?.body ?? { messages: [] };
    expect(textOfMessages(call)).toContain(SUMMARY);
    expect(textOfMessages(call)).not.toContain("first-aaaa");
    const asked = messages.findIndex((message) => message.tool_calls);
    expect(messages[asked]).toMatchObject({ role: "assistant", content: "I compute." });
    expect(messages[asked]?.tool_calls?.[0]?.function).toEqual({
      name: "run_javascript",
      arguments: JSON.stringify({ code: "6 * 7.5" }),
    });
    expect(messages[asked + 1]).toMatchObject({
      role: "tool",
      tool_call_id: messages[asked]?.tool_calls?.[0]?.id,
    });
    expect(String(messages[asked + 1]?.content)).toContain("45");
    expect(messages[asked + 2]).toMatchObject({ role: "assistant" });
    expect(messages.at(-1)?.role).toBe("user");
  }

  // Paid for: in the run, its trace, and the wallet.
  expect(fourth?.usage?.breakdown).toMatchObject([{ input_tokens: 8_000, output_tokens: 60 }]);
  const { spans } = (await narrow.api.get(`/v1/runs/${fourth?.run_id}/trace`)).as("RunTrace");
  const compaction = spans.filter(({ kind }) => kind === "compaction");
  expect(compaction).toHaveLength(1);
  expect(compaction[0]).toMatchObject({ status: "succeeded", output: { summary: SUMMARY } });
  expect(compaction[0]?.credits).toBeGreaterThan(0);
  expect(spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(
    fourth?.usage?.credits ?? 0,
    6,
  );
  const paid = runs.reduce((sum, { usage }) => sum + (usage?.credits ?? 0), 0);
  expect(wallet - (await availableMicros(narrow.api))).toBe(Math.round(paid * 1_000_000));
  const told = (await linesOf(narrow, fourth?.run_id ?? "")).filter(
    ({ type }) => type === "context.compacted",
  );
  expect(told).toEqual([expect.objectContaining({ messages: 4 })]);
  expect(fifth?.result?.text).toBe("XK-42.");
});

test("a conversation its model cannot sum up goes on without its older part and says so", async ({
  narrow,
  script,
}) => {
  const one = await script(
    { text: words("first") },
    { text: words("second") },
    { text: words("third") },
    { status: 403, error_message: "I sum up nothing." },
    { text: "Enough." },
  );
  const questions = ["Give me the code.", "And more?", "And a third?", "Still more?"];
  const runs = await converse(narrow, one, questions);
  expect(runs.map(({ status }) => status)).toEqual(Array(4).fill("completed"));
  const calls = await one.calls();
  expect(calls.map(isSummary)).toEqual([false, false, false, true, false]);
  const told = textOfMessages(calls.at(-1));
  expect(told).toContain("is left out here");
  expect(told).not.toContain("first-aaaa");
  expect(told).toContain("third-tbtb");
  const last = runs.at(-1)?.run_id ?? "";
  const types = (await linesOf(narrow, last)).map(({ type }) => type);
  expect(types).not.toContain("context.compacted");
  const { spans } = (await narrow.api.get(`/v1/runs/${last}/trace`)).as("RunTrace");
  expect(spans.find(({ kind }) => kind === "retry")?.error?.message).toContain("I sum up nothing.");
});

/** A call that gives some twelve thousand tokens by our own count: three fill the window. */
const list = (name: string, usage: ScriptTurn["usage"]): ScriptTurn => ({
  tool_calls: [
    { name: "run_javascript", args: { code: `"${name} " + Math.PI.toString().repeat(720)` } },
  ],
  usage,
});

/** A run that makes three such calls, with what its model was told and what it cost. */
async function listThrice(
  { api }: TestAccount,
  modelUrl: string,
  script: (...turns: ScriptTurn[]) => Promise<ModelScript>,
  usage: ScriptTurn["usage"],
  ...turns: ScriptTurn[]
) {
  const agent = await createAgent(api, modelUrl, {
    config: { tools: { builtin: ["run_javascript"] } },
  });
  const lists = ["first", "second", "third"].map((name) => list(name, usage));
  const one = await script(...lists, ...turns, { text: "Done." });
  const { run_id } = await startRun(api, {
    agent_id: agent.agent_id,
    input: { text: `Count them. ${one.mark}` },
  });
  const run = await waitForRun(api, run_id);
  expect(run).toMatchObject({ status: "completed", result: { text: "Done." } });
  const { spans } = (await api.get(`/v1/runs/${run_id}/trace`)).as("RunTrace");
  expect(spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(
    run.usage?.credits ?? 0,
    6,
  );
  return {
    calls: await one.calls(),
    compaction: spans.filter(({ kind }) => kind === "compaction"),
  };
}

test("a run that outgrows its window midway is summed up, paid for, and goes on with that", async ({
  narrow,
  modelUrl,
  script,
}) => {
  const summary = { text: "Two lists were seen.", usage: { input: 4_000, output: 40 } };
  const { calls, compaction } = await listThrice(narrow, modelUrl, script, null, summary);
  expect(calls.map(isSummary)).toEqual([false, false, false, true, false]);
  const record = textOfMessages(calls[3]);
  for (const said of ["The task:", "Count them.", "Called run_javascript", "first 3.14159"])
    expect(record).toContain(said);
  const told = textOfMessages(calls[4]);
  expect(told).toContain("Two lists were seen.");
  expect(told).toContain("Count them.");
  expect(told).not.toContain("first 3.14159");
  expect(compaction).toMatchObject([
    { status: "succeeded", output: { summary: "Two lists were seen." } },
  ]);
  expect(compaction[0]?.credits).toBeGreaterThan(0);
});

test("a run whose model fails to sum it up goes on with beginnings and ends of its record", async ({
  narrow,
  modelUrl,
  script,
}) => {
  const refusal = { status: 403, error_message: "I sum up nothing." };
  const { calls, compaction } = await listThrice(narrow, modelUrl, script, null, refusal);
  expect(calls.map(isSummary)).toEqual([false, false, false, true, false]);
  expect(textOfMessages(calls[4])).toContain("characters left out");
  expect(textOfMessages(calls[4])).toContain("Count them.");
  expect(compaction).toMatchObject([{ status: "failed", credits: 0 }]);
});

test("a vendor's count of the last turn is gone by where our own would have it summed up", async ({
  narrow,
  modelUrl,
  script,
}) => {
  const usage = { input: 9_000, output: 60 };
  const { calls, compaction } = await listThrice(narrow, modelUrl, script, usage);
  expect(calls.map(isSummary)).toEqual([false, false, false, false]);
  expect(textOfMessages(calls[3])).toContain("first 3.14159");
  expect(compaction).toEqual([]);
});
