import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import type { Principal } from "@/lib/domain/principal";
import { callTool, runTurn } from "@/lib/domain/run-steps";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

// What counts as an answer of a model, and what becomes of a run whose model gives none.

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "scripted",
  DEFAULT_MODEL: "compatible/scripted",
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;
let seen: SeenTurn[];
let turns: ScriptedTurn[];

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
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

interface Line {
  type: string;
  message_id?: string;
  replaces?: string;
  delta?: string;
}

/** Drives a run to its end as the engine does, and gives what became of it. */
async function play(script: ScriptedTurn[], config: Partial<AgentConfig> = {}) {
  turns = [...script];
  const agent = await newAgent(owner);
  await updateAgent(owner, agent.id, { config: { version: 1, ...config } });
  const { id } = await startTestRun(owner, { agentId: agent.id });
  for (let turn = 0; ; turn++) {
    const next = await runTurn(id, turn);
    if (next.done) break;
    for (const { toolCallId } of next.calls) await callTool(id, turn, toolCallId);
  }
  const { rows } = await database.pool.query(
    `SELECT status, error ->> 'code' AS error, error ->> 'message' AS message,
       result ->> 'text' AS text, result -> 'data' AS data,
       (SELECT count(*)::int FROM run_usage WHERE run_id = r.id) AS charges FROM runs r
     WHERE id = $1`,
    [id],
  );
  const stored = await database.pool.query<{ lines: string }>(
    "SELECT lines FROM run_events WHERE run_id = $1 ORDER BY first_sequence",
    [id],
  );
  const lines = stored.rows
    .flatMap((row) => row.lines.split("\n"))
    .map((line) => JSON.parse(line) as Line); // written by us
  return { ...rows[0], shown: shownText(lines) };
}

/** The text of the last message, as somebody who follows the run puts it together. */
function shownText(lines: Line[]): string {
  const texts = new Map<string, string>();
  for (const { type, message_id: id = "", replaces, delta = "" } of lines) {
    if (replaces) texts.delete(replaces);
    if (type === "message.created" || type === "output_text.delta")
      texts.set(id, (texts.get(id) ?? "") + delta);
  }
  return [...texts.values()].at(-1) ?? "";
}

const lastPrompt = () => seen.at(-1)?.prompt ?? [];

test("an answer cut off at the model's limit is gone on with, and is one text", async () => {
  const run = await play([
    { text: "One, two, thr", finish: "length" },
    { text: "ee, fo", finish: "length" },
    { text: "ur." },
  ]);
  expect(run).toMatchObject({
    status: "completed",
    text: "One, two, three, four.",
    shown: "One, two, three, four.",
    charges: 3,
  });
  expect(lastPrompt().map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  expect(JSON.stringify(lastPrompt().at(-1))).toContain("Go on exactly where it stopped");
});

test("an answer cut off again and again fails the run with OUTPUT_TRUNCATED", async () => {
  const cut: ScriptedTurn = { text: "and so on ", finish: "length" };
  const run = await play([cut, cut, cut, cut]);
  expect(run).toMatchObject({
    status: "failed",
    error: "OUTPUT_TRUNCATED",
    text: null,
    charges: 3,
  });
  expect(run.message).toContain("max_output_tokens");
});

test("a cut answer with no step left fails with OUTPUT_TRUNCATED too", async () => {
  expect(
    await play([{ text: "One, tw", finish: "length" }], { limits: { max_steps: 1 } }),
  ).toMatchObject({
    status: "failed",
    error: "OUTPUT_TRUNCATED",
    charges: 1,
  });
});

test("an answer that its provider filtered fails with CONTENT_FILTERED", async () => {
  for (const text of ["", "The first half"]) {
    const run = await play([{ text, finish: "content-filter" }]);
    expect(run).toMatchObject({
      status: "failed",
      error: "CONTENT_FILTERED",
      text: null,
      charges: 1,
    });
    expect(run.message).toContain("compatible/scripted");
  }
});

test("a model that ends without a word is asked once more; its words then answer", async () => {
  expect(await play([{}, { text: "All done." }])).toMatchObject({
    status: "completed",
    text: "All done.",
    charges: 2,
  });
  expect(JSON.stringify(lastPrompt().at(-1))).toContain("Your last message was empty");
});

test("a model that stays silent fails with EMPTY_ANSWER, whatever it said first", async () => {
  const todo = { name: "todo", input: { items: [{ text: "Look", done: false }] } };
  for (const script of [
    [{}, {}],
    [{ text: "I will look.", call: todo }, { text: "  " }, {}],
  ])
    expect(await play(script)).toMatchObject({
      status: "failed",
      error: "EMPTY_ANSWER",
      text: null,
      charges: script.length,
    });
});

const COUNT = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };

test("an answer that misfits the output_schema is asked for once more, and not shown", async () => {
  const run = await play([{ text: "There are three." }, { text: '{"count": 3}' }], {
    output_schema: COUNT,
  });
  expect(run).toMatchObject({
    status: "completed",
    data: { count: 3 },
    text: '{"count": 3}',
    shown: '{"count": 3}',
    charges: 2,
  });
});

test("an answer that misfits again fails with MODEL_CANNOT_ANSWER after two calls", async () => {
  const run = await play(
    [{ text: "Three." }, { text: '{"count": "three"}' }, { text: '{"count": 3}' }],
    { output_schema: COUNT },
  );
  expect(run).toMatchObject({ status: "failed", error: "MODEL_CANNOT_ANSWER", charges: 2 });
  expect(run.message).toContain("count");
});

test("a model that cannot fill the schema is not pressed, and the failure says why", async () => {
  const words = "The text names no number, so I cannot count.";
  const run = await play([{ text: words }, { text: words }], { output_schema: COUNT });
  expect(run).toMatchObject({ status: "failed", error: "MODEL_CANNOT_ANSWER", charges: 2 });
  expect(run.message).toContain(words);
  expect(seen[0]?.system).toContain("invent none");
  expect(JSON.stringify(lastPrompt().at(-1))).toContain("invent nothing");
});

test("of what such a model says the failure carries 500 characters", async () => {
  const run = await play([{ text: "No. ".repeat(1_000) }, { text: "No. ".repeat(1_000) }], {
    output_schema: COUNT,
  });
  expect(run.message.length).toBeLessThan(700);
});

test("a cut structured answer is asked for whole: a form is not gone on with", async () => {
  const run = await play([{ text: '{"cou', finish: "length" }, { text: '{"count": 3}' }], {
    output_schema: COUNT,
  });
  expect(run).toMatchObject({
    status: "completed",
    data: { count: 3 },
    text: '{"count": 3}',
    shown: '{"count": 3}',
    charges: 2,
  });
  expect(JSON.stringify(lastPrompt().at(-1))).toContain("Give the whole value again");
});

const ENVELOPE = { answer: { count: 3 }, missing: [] };

test.each<[string, ScriptedTurn]>([
  ["the form of its message", { text: JSON.stringify(ENVELOPE) }],
  ["the tool that answers", { call: { name: "answer", input: ENVELOPE } }],
  [
    "that tool, after some words",
    { text: "Here it is:", call: { name: "answer", input: ENVELOPE } },
  ],
  ["that tool without the envelope", { call: { name: "answer", input: { count: 3 } } }],
])("an answer by %s comes in one call, and nobody outside sees how", async (_, turn) => {
  const run = await play([turn], { output_schema: COUNT });
  expect(run).toMatchObject({
    status: "completed",
    data: { count: 3 },
    text: '{"count":3}',
    shown: '{"count":3}',
    charges: 1,
  });
  expect(seen[0]?.tools?.map(({ name }) => name)).toContain("answer");
});

test.each<[string, ScriptedTurn]>([
  ["its message", { text: '{"answer": null, "missing": ["the number of rows"]}' }],
  [
    "the tool",
    { call: { name: "answer", input: { answer: null, missing: ["the number of rows"] } } },
  ],
])(
  "what a model says by %s to be missing ends the run with MODEL_CANNOT_ANSWER at once",
  async (_, turn) => {
    const run = await play([turn, { text: '{"count": 100}' }], { output_schema: COUNT });
    expect(run).toMatchObject({
      status: "failed",
      error: "MODEL_CANNOT_ANSWER",
      text: null,
      data: null,
      shown: "Not found: the number of rows.",
      charges: 1,
    });
    expect(run.message).toContain("names what was not found: the number of rows.");
  },
);

test("calls beside an answer are made first, and the answer is given behind them", async () => {
  const todo = { name: "todo", input: { items: [{ text: "Look", done: true }] } };
  const answer = { name: "answer", input: ENVELOPE };
  const run = await play([{ calls: [answer, todo] }, { call: answer }], { output_schema: COUNT });
  expect(run).toMatchObject({ status: "completed", data: { count: 3 }, charges: 2 });
});

test("what a model was told between turns stays, so no two messages of it meet", async () => {
  const todo = { name: "todo", input: { items: [{ text: "Look", done: true }] } };
  await play([{ text: "Firs", finish: "length" }, { text: "t.", call: todo }, { text: "Done." }]);
  expect(lastPrompt().map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "user",
    "assistant",
    "tool",
  ]);
});
