import { APICallError } from "@ai-sdk/provider";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import { deleteRun } from "@/lib/domain/runs/delete-run";
import { readRunEventPage } from "@/lib/domain/runs/read-run-event-page";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "scripted",
  DEFAULT_MODEL: "compatible/scripted",
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let script: (seen: SeenTurn) => ScriptedTurn;

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
  owner = await database.account();
});
afterAll(() => database.close());

/** A run of a conversation, to its end. */
async function ask(
  request: string,
  says: typeof script,
  before: RunView | null = null,
  model: string | null = null,
): Promise<RunView> {
  script = says;
  const { id } = await startTestRun(owner, {
    input: { request },
    conversationId: before?.conversationId ?? null,
    model,
  });
  for (let turn = 0; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) return getRun(owner, id);
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
}

const isSummary = ({ system }: SeenTurn) => system.startsWith("You sum up");
const promptOf = (turn: SeenTurn | undefined) =>
  JSON.stringify(turn?.prompt.filter(({ role }) => role !== "system"));
const LONG = Array.from({ length: 8_000 }, (_, at) => `word${at}`).join(" ");
const summaries = async () => {
  const { rows } = await database.pool.query<{ summary: string }>(
    "SELECT summary FROM conversation_summaries WHERE account_id = $1",
    [owner.accountId],
  );
  return rows.map(({ summary }) => summary);
};
const says =
  (text: string): typeof script =>
  (shown) =>
    isSummary(shown)
      ? { text: "They spoke of many words; the code is XK-42.", usage: { input: 500, output: 20 } }
      : { text };

/** Three long answers, more than a prompt shows of a conversation. */
async function outgrown(): Promise<RunView[]> {
  const first = await ask("Give me the code.", says(`The code is XK-42. ${LONG}`));
  const second = await ask("And more?", says(LONG), first);
  return [first, second, await ask("Still more?", says("Enough."), second)];
}

test("a later run sees what the tools of earlier ones gave, and made as artifacts", async () => {
  let turns = 0;
  const first = await ask("Work it out and write it down.", () => {
    turns += 1;
    if (turns === 1) return { call: { name: "run_javascript", input: { code: "6 * 7.5" } } };
    if (turns === 2)
      return {
        call: {
          name: "artifacts",
          input: { title: "The figure", name: "figure.md", content: "45" },
        },
      };
    return { text: "I wrote it down." };
  });
  const [artifact] = first.result?.artifacts ?? [];
  await ask("Which file was that?", () => ({ text: "figure.md" }), first);
  const shown = promptOf(seen.at(-1));
  expect(shown).toContain(String(artifact?.id));
  expect(shown).toContain("figure.md, text/markdown");
  expect(shown).toContain("6 * 7.5");
  expect(shown).toContain('\\"result\\": 45');
  // As it was: the request, the call, the answer; what was made stands before the new request.
  const places = ["Work it out", "6 * 7.5", "I wrote it down.", "figure.md, text", "Which file"];
  const found = places.map((text) => shown.indexOf(text));
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found[0]).toBeGreaterThanOrEqual(0);
  const [asked, ...answers] = (seen.at(-1)?.prompt ?? []).filter(({ role }) => role === "tool");
  expect([asked?.role, answers]).toEqual(["tool", []]);
});

test("what an earlier tool gave is shown without a secret of the account's since", async () => {
  let turns = 0;
  const first = await ask("Read it.", () => {
    turns += 1;
    return turns === 1
      ? { call: { name: "run_javascript", input: { code: "'token-' + 'abcdef123456'" } } }
      : { text: "Read." };
  });
  await createSecret(owner, {
    name: "TOKEN",
    value: "token-abcdef123456",
    description: null,
    allowedHosts: ["example.com"],
  });
  await ask("And now?", () => ({ text: "Done." }), first);
  expect(promptOf(seen.at(-1))).toContain("run_javascript");
  expect(promptOf(seen.at(-1))).not.toContain("token-abcdef123456");
});

test("what falls out of a conversation is summed up once, paid, kept and told", async () => {
  const [, , third] = await outgrown();
  expect(seen.filter(isSummary)).toHaveLength(1);
  expect(promptOf(seen.find(isSummary))).toContain("Give me the code.");
  const shown = promptOf(seen.at(-1));
  expect(shown).toContain("They spoke of many words; the code is XK-42.");
  expect(shown).not.toContain("Give me the code.");
  expect(await summaries()).toEqual(["They spoke of many words; the code is XK-42."]);
  const spans = await readRunTrace(owner, third?.id ?? "");
  const span = spans.find(({ kind }) => kind === "compaction");
  expect(span).toMatchObject({
    status: "succeeded",
    output: { summary: "They spoke of many words; the code is XK-42." },
  });
  expect(span?.credits).toBeGreaterThan(0);
  expect(spans.reduce((sum, { credits }) => sum + credits, 0)).toBeCloseTo(
    third?.usage.credits ?? 0,
    6,
  );
  const { lines } = await readRunEventPage(
    { id: third?.id ?? "", accountId: owner.accountId },
    -1,
    100,
    "",
  );
  const [event, ...others] = lines
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "context.compacted");
  expect(others).toEqual([]);
  expect(event.messages).toBeGreaterThanOrEqual(2);
  expect(event.tokens_after).toBeLessThan(event.tokens_before);
  // The next run finds it.
  await ask("And the code?", says("XK-42."), third);
  expect(seen.filter(isSummary)).toHaveLength(1);
  expect(promptOf(seen.at(-1))).toContain("They spoke of many words; the code is XK-42.");
  expect(promptOf(seen.at(-1))).toContain("Still more?");
});

test("what was said in a run that is deleted is in no summary any more", async () => {
  const [first, , third] = await outgrown();
  expect(await summaries()).toHaveLength(1);
  await deleteRun(owner, first?.id ?? "");
  expect(await summaries()).toEqual([]);
  await ask("And the code?", says("I do not know."), third);
  expect(promptOf(seen.at(-1))).not.toContain("Give me the code.");
});

test("a run whose model gives no summary goes on without, and says what is missing", async () => {
  const first = await ask("Give me the code.", says(LONG));
  const second = await ask("And more?", says(LONG), first);
  const refuse = (shown: SeenTurn) => {
    if (!isSummary(shown)) return { text: "Enough." };
    throw new APICallError({
      message: "no",
      url: "http://127.0.0.1:9/v1",
      requestBodyValues: {},
      statusCode: 403,
    });
  };
  const third = await ask("Still more?", refuse, second);
  expect(third).toMatchObject({ status: "completed", result: { text: "Enough." } });
  expect(await summaries()).toEqual([]);
  expect(promptOf(seen.at(-1))).toContain("is left out here");
});

test("where the model's summary is empty, beginnings and ends of words stand in", async () => {
  const first = await ask("Give me the code.", says(LONG));
  const second = await ask("And more?", says(LONG), first);
  await ask("Still more?", (shown) => ({ text: isSummary(shown) ? "" : "Enough." }), second);
  expect(promptOf(seen.at(-1))).toContain("Give me the code.");
  expect((await summaries()).join("").length).toBeLessThan(20_000);
});

test("many short messages are summed up too, and not by each run anew", async () => {
  let last = await ask("Question 0", says("Answer 0"));
  for (let index = 1; index < 31; index++)
    last = await ask(`Question ${index}`, says(`Answer ${index}`), last);
  expect(seen.filter(isSummary)).toEqual([]);
  last = await ask("Question 31", says("Answer 31"), last);
  expect(seen.filter(isSummary)).toHaveLength(1);
  const summed = promptOf(seen.find(isSummary));
  expect(summed).toContain("Question 0");
  expect(summed).toContain("Answer 15");
  expect(promptOf(seen.at(-1))).not.toContain("Question 15");
  expect(promptOf(seen.at(-1))).toContain("Question 16");
  await ask("Question 32", says("Answer 32"), last);
  expect(seen.filter(isSummary)).toHaveLength(1);
}, 120_000);

test("the built-in model is asked for no summary", async () => {
  const [, , third] = await outgrown();
  await database.pool.query("DELETE FROM conversation_summaries WHERE account_id = $1", [
    owner.accountId,
  ]);
  const run = await ask("What is 6 * 7?", says(""), third, "builtin/offline");
  expect((await readRunTrace(owner, run.id)).filter(({ kind }) => kind === "compaction")).toEqual(
    [],
  );
  expect(await summaries()).toEqual([]);
});
