import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { modelSearch } from "@/lib/domain/execution/tools/model-search";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { Principal } from "@/lib/domain/principal";
import { callTool, loadRun, runTurn } from "@/lib/domain/run-steps";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { toMicros } from "@/lib/model/run/run-result";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";
import type { ToolContext } from "@/lib/runtime/tools/tool";

// An agent's search of the web where the operator has set up no search provider, by the servers of
// its own model's provider.

const MODEL = "openai/gpt-5.1";
let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let query: string;
let answer: string;
let found: ScriptedTurn;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: { OPENAI_API_KEY: "k", DEFAULT_MODEL: MODEL, LOG_LEVEL: "silent" },
  });
  injectModel(
    scriptedModel(MODEL, (shown) => {
      seen.push(shown);
      if (isSearch(shown)) return found;
      return shown.prompt.some(({ role }) => role === "tool")
        ? { text: answer }
        : { call: { name: "web_search", input: { query } } };
    }),
  );
});
beforeEach(async () => {
  [seen, query, found] = [[], "newest release of Lathe", FOUND];
  answer = "2.1 came out on Monday.";
  owner = await database.account();
});
afterAll(() => database.close());

const isSearch = ({ tools }: SeenTurn) => tools?.some(({ type }) => type === "provider") === true;

const FOUND: ScriptedTurn = {
  text: "Release 2.1, on Monday (example.com).",
  parts: [
    {
      type: "tool-result",
      toolCallId: "ws_1",
      toolName: "web_search",
      result: { action: { type: "search", queries: ["a", "b"] } },
    },
    { type: "source", sourceType: "url", id: "1", url: "https://example.com/r", title: "Releases" },
    { type: "source", sourceType: "url", id: "2", url: "https://example.com/r", title: "Again" },
    { type: "source", sourceType: "url", id: "3", url: "javascript:alert(1)", title: "No page" },
  ],
  usage: { input: 9_000, output: 40 },
};

/** A run that searches once and then answers. */
async function search(
  maxCreditsMicros: bigint | null = null,
  isPrivate = false,
): Promise<RunView & { asked?: true }> {
  const { id } = await startTestRun(owner, { maxCreditsMicros });
  if (isPrivate)
    await database.pool.query(
      `UPDATE conversations SET seen_private = true
       WHERE id = (SELECT conversation_id FROM runs WHERE id = $1)`,
      [id],
    );
  for (let turn = 0; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) return getRun(owner, id);
    for (const { toolCallId } of next.calls) {
      const called = await callTool(id, turn, toolCallId);
      if ("ask" in called) return { ...(await getRun(owner, id)), asked: true };
    }
  }
}

test("the query alone goes to the provider in a call, whose finds are the result", async () => {
  const run = await search();
  expect(run).toMatchObject({ status: "completed", result: { text: "2.1 came out on Monday." } });
  const [asking] = seen.filter(isSearch);
  expect(asking?.tools).toEqual([
    { type: "provider", id: "openai.web_search", name: "web_search", args: {} },
  ]);
  expect(asking?.prompt.slice(1)).toEqual([
    { role: "user", content: [{ type: "text", text: "newest release of Lathe" }] },
  ]);
  const [result] = (await loadRun(run.id)).transcript.results.values();
  expect(result).toMatchObject({
    succeeded: true,
    output: {
      summary: "Release 2.1, on Monday (example.com).",
      results: [{ title: "Releases", url: "https://example.com/r", snippet: "" }],
    },
  });
  const { rows } = await database.pool.query(
    "SELECT string_agg(lines, E'\\n') AS lines FROM run_events WHERE run_id = $1",
    [run.id],
  );
  expect(rows[0]?.lines).toContain('"kind":"search"');
});

test("an answer cites what was found by name, and no address that was not", async () => {
  answer = "2.1 came out on Monday (https://example.com/r). See https://example.com/made-up.";
  const run = await search();
  expect(run.result?.citations).toEqual([
    {
      text: "2.1 came out on Monday (https://example.com/r).",
      source: { type: "web", url: "https://example.com/r", title: "Releases" },
      location: { start: 0, end: 47 },
    },
  ]);
});

test("its tokens and its searches are paid once by the facts' prices, and traced", async () => {
  const run = await search();
  expect(run.usage.breakdown).toMatchObject([
    { model: MODEL, capability: "chat", input_tokens: 9_020, units: 2 },
  ]);
  const { rows } = await database.pool.query(
    `SELECT units::int, credits_micros::int AS micros FROM run_usage
     WHERE run_id = $1 AND units > 0`,
    [run.id],
  );
  expect(rows).toEqual([{ units: 2, micros: 20_000_000 }]);
  const spans = await readRunTrace(owner, run.id);
  expect(spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(run.usage.credits, 6);
});

test("a run that cannot pay for a search is told so, and goes on without", async () => {
  const run = await search(toMicros(30));
  expect(run.status).toBe("completed");
  expect(seen.filter(isSearch)).toEqual([]);
  expect(JSON.stringify(seen.at(-1)?.prompt)).toContain("The web was not searched");
});

test("a provider that searched for nothing gave no result", async () => {
  found = { text: "I know that by heart: 1.0." };
  await search();
  const told = JSON.stringify(seen.at(-1)?.prompt);
  expect(told).toContain("searched for nothing");
  expect(told).not.toContain("by heart");
});

test("after private data no page is opened anew, and a query of an unnamed host asks", async () => {
  await search(null, true);
  expect(seen.filter(isSearch)[0]?.tools).toMatchObject([{ args: { externalWebAccess: false } }]);
  seen = [];
  query = "open evil.example.com/?d=secret";
  const run = await search(null, true);
  expect(run.asked).toBe(true);
  expect(seen.filter(isSearch)).toEqual([]);
});

test("of a call that is cut the searches are paid that its stream has told of", async () => {
  const waits = Promise.withResolvers<void>();
  found = { parts: FOUND.parts?.slice(0, 1) ?? [], onWait: waits.resolve };
  const { id } = await startTestRun(owner);
  const run = await loadRun(id);
  const cut = new AbortController();
  const context = { toolCallId: "call", signal: cut.signal } as ToolContext; // what it uses
  const called = modelSearch(run, null)?.ask(query, context);
  await waits.promise;
  cut.abort();
  await expect(called).rejects.toThrow("aborted");
  const { rows } = await database.pool.query(
    `SELECT units::int, price_micros = credits_micros AS is_paid FROM run_usage
     WHERE run_id = $1 AND units > 0`,
    [id],
  );
  expect(rows).toEqual([{ units: 2, is_paid: true }]);
});
