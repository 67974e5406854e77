import { APICallError } from "@ai-sdk/provider";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { namedWindows } from "@/lib/domain/execution/prompt/context-window";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import { readRunEventPage } from "@/lib/domain/runs/read-run-event-page";
import { getRun } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { DEFAULT_TIMEOUT_SECONDS } from "@/lib/model/limits";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "scripted",
  DEFAULT_MODEL: "compatible/scripted",
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let script: (seen: SeenTurn) => ScriptedTurn | Promise<ScriptedTurn>;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  injectModel(
    scriptedModel("compatible/scripted", (shown) => {
      seen.push(shown);
      return script(shown);
    }),
  );
});
beforeEach(async () => {
  seen = [];
  namedWindows().clear();
  owner = await database.account();
});
afterAll(() => database.close());

/** @param before does something before a turn */
async function play(
  says: typeof script,
  before: (runId: string, turn: number) => Promise<unknown> = async () => {},
) {
  script = says;
  const agent = await newAgent(owner);
  await updateAgent(owner, agent.id, { config: { version: 1 } });
  const { id } = await startTestRun(owner, {
    agentId: agent.id,
    input: { request: "Count them all." },
  });
  for (let turn = 0; ; turn++) {
    await before(id, turn);
    const next = await runTurn(id, turn);
    if (next.done) {
      const { lines } = await readRunEventPage({ id, accountId: owner.accountId }, -1, 100, "");
      const events = lines.map((line) => JSON.parse(line) as { type: string });
      return { run: await getRun(owner, id), spans: await readRunTrace(owner, id), events };
    }
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
}

const isSummary = ({ system }: SeenTurn) => system.startsWith("You sum up");
// A digit counts as a token.
const LONG = "7".repeat(55_000);
const note = (text: string): ScriptedTurn => ({
  call: { name: "todo", input: { items: [{ text, done: false }] } },
});
const failure = { message: "no", url: "http://127.0.0.1:9/v1", requestBodyValues: {} };
const forbidden = () => new APICallError({ ...failure, statusCode: 403 });
const refusal = (message: string) =>
  new APICallError({
    ...failure,
    statusCode: 400,
    responseBody: JSON.stringify({ error: { message, code: "context_length_exceeded" } }),
  });
const overflow = () => refusal("This model's maximum context length is 4096 tokens.");
const unnamed = () => refusal("The prompt is too long.");

test("a prompt that leaves no room is summed up, and the run goes on from that", async () => {
  let turns = 0;
  const { run, spans, events } = await play((shown) => {
    if (isSummary(shown))
      return { text: "Two long lists of sevens were seen.", usage: { input: 500, output: 20 } };
    turns += 1;
    return turns <= 2 ? note(`${turns}${LONG}`) : { text: "Done." };
  });
  expect(run).toMatchObject({ status: "completed", result: { text: "Done." } });
  expect(seen.map(isSummary)).toEqual([false, false, true, false]);
  const last = JSON.stringify(seen.at(-1)?.prompt);
  expect(last).toContain("Two long lists of sevens were seen.");
  expect(last).toContain("Count them all.");
  expect(last.length).toBeLessThan(LONG.length);
  const span = spans.find(({ kind }) => kind === "compaction");
  expect(span).toMatchObject({
    status: "succeeded",
    parentId: "turn-2",
    output: { summary: "Two long lists of sevens were seen." },
  });
  expect(span?.credits).toBeGreaterThan(0);
  expect(spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(run.usage.credits, 6);
  const compacted = events.filter(({ type }) => type === "context.compacted");
  expect(compacted).toEqual([
    expect.objectContaining({ run_id: run.id, messages: 4, tokens_before: expect.any(Number) }),
  ]);
  const [line] = compacted as unknown as { tokens_before: number; tokens_after: number }[];
  expect(line?.tokens_after).toBeLessThan((line?.tokens_before ?? 0) * 0.7);
});

test("a prompt too long for the vendor is summed up once, or fails unsummed", async () => {
  let isShort = false;
  let turns = 0;
  const { run } = await play((shown) => {
    if (isSummary(shown)) {
      isShort = true;
      return { text: "In short." };
    }
    turns += 1;
    if (turns === 1) return note("x".repeat(3_000));
    if (!isShort) throw overflow();
    return { text: "Done all the same." };
  });
  expect(run).toMatchObject({ status: "completed", result: { text: "Done all the same." } });
  expect(JSON.stringify(seen.find(isSummary)?.prompt).length).toBeLessThan(4096 * 4);
  const failed = await play(() => {
    throw overflow();
  });
  expect(failed.run).toMatchObject({
    status: "failed",
    error: { code: "EXECUTION_FAILED", message: expect.stringContaining("4096") },
  });
});

test("a vendor that finds the text to sum up too long gets half; it goes on", async () => {
  let isShort = false;
  const { run } = await play((shown) => {
    if (isSummary(shown)) {
      isShort = JSON.stringify(shown.prompt).length < 12_000;
      if (!isShort) throw unnamed();
      return { text: "In short." };
    }
    if (shown.prompt.length === 2 && !isShort) return note("x".repeat(30_000));
    if (!isShort) throw unnamed();
    return { text: "Done." };
  });
  expect(run).toMatchObject({ status: "completed", result: { text: "Done." } });
  expect(seen.filter(isSummary).length).toBeGreaterThan(1);
});

test("a prompt summed up by our count and too long for the vendor is summed up again", async () => {
  let turns = 0;
  let refused = 0;
  const { run, events } = await play((shown) => {
    if (isSummary(shown)) return { text: "In short." };
    turns += 1;
    if (turns <= 3) return note("7".repeat(turns === 3 ? 10_000 : 48_000));
    if (refused === 0) {
      refused += 1;
      throw unnamed();
    }
    return { text: "Done." };
  });
  expect(run).toMatchObject({ status: "completed", result: { text: "Done." } });
  expect(events.filter(({ type }) => type === "context.compacted")).toHaveLength(2);
});

test("a summed up prompt too long for its vendor fails the run: no more summaries", async () => {
  let turns = 0;
  const { run } = await play((shown) => {
    if (isSummary(shown)) return { text: "In short." };
    turns += 1;
    if (turns === 1) return note("x");
    throw overflow();
  });
  expect(run).toMatchObject({ status: "failed", error: { code: "EXECUTION_FAILED" } });
  expect(seen.filter(isSummary)).toHaveLength(1);
});

test("a run whose summary fails goes on with beginnings and ends, and its trace says", async () => {
  let turns = 0;
  const { run, spans } = await play((shown) => {
    if (isSummary(shown)) throw forbidden();
    turns += 1;
    return turns <= 2 ? note(`${turns}${LONG}`) : { text: "Done." };
  });
  expect(run).toMatchObject({ status: "completed", result: { text: "Done." } });
  expect(seen.map(isSummary)).toEqual([false, false, true, false]);
  const last = JSON.stringify(seen.at(-1)?.prompt);
  expect(last).toContain("characters left out");
  expect(last.length).toBeLessThan(LONG.length);
  const [span, ...others] = spans.filter(({ kind }) => kind === "compaction");
  expect(others).toEqual([]);
  expect(span).toMatchObject({ status: "failed", parentId: "turn-2", credits: 0 });
  expect(spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(run.usage.credits, 6);
});

test("a summary cut by the end of its run is paid for as far as it came, and traced", async () => {
  let turns = 0;
  const { run, spans } = await play(
    (shown) => {
      if (isSummary(shown)) return new Promise<ScriptedTurn>(() => {});
      turns += 1;
      return note(`${turns}${LONG}`);
    },
    async (runId, turn) => {
      if (turn < 2) return;
      const text = "UPDATE runs SET started_at = now() - make_interval(secs => $2) WHERE id = $1";
      await database.pool.query(text, [runId, DEFAULT_TIMEOUT_SECONDS - 4]);
    },
  );
  expect(run).toMatchObject({ status: "failed", error: { code: "TIMEOUT" } });
  expect(seen.map(isSummary)).toEqual([false, false, true]);
  const { rows } = await database.pool.query<{ step_key: string; output_tokens: number }>(
    "SELECT step_key, output_tokens FROM run_usage WHERE run_id = $1 ORDER BY step_key",
    [run.id],
  );
  expect(rows.map(({ step_key }) => step_key)).toEqual([
    "turn-0",
    "turn-1",
    expect.stringMatching(/^turn-2-/),
  ]);
  const cut = spans.find(({ kind, status }) => kind === "model" && status === "cancelled");
  expect(cut?.credits).toBeGreaterThan(0);
});
