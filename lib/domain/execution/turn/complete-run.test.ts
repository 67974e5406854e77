import { expect, test } from "vitest";
import type { LoadedRun, RunLimits } from "@/lib/domain/execution/run/loaded-run";
import {
  isCorrected,
  messageBefore,
  outputSchema,
  readData,
  resultOf,
  saidAfter,
} from "@/lib/domain/execution/turn/complete-run";
import { testRun } from "@/lib/domain/test/test-run";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import type { RunKind } from "@/lib/model/run/run-status";

interface Turn {
  /** What it says; absent: nothing. */
  text?: string;
  finish?: string;
  /** It calls a tool. */
  calls?: boolean;
}

const ARTIFACT = { id: "f1", title: "Report" };
const CITY = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
} as JsonObject;

function run(
  turns: Turn[],
  { schema, kind = "agent" }: { schema?: JsonObject; kind?: RunKind } = {},
): LoadedRun {
  const stored = turns.map(({ text, finish = "stop", calls = false }, turn) => ({
    turn,
    messageId: `m${turn}`,
    model: "vendor/model",
    finishReason: finish,
    content: [
      ...(text === undefined ? [] : [{ type: "text", text }]),
      ...(calls
        ? [{ type: "tool-call", toolCallId: `c${turn}`, toolName: "todo", input: {} }]
        : []),
    ],
  }));
  const agent = {
    id: "a1",
    name: "Helper",
    config: { version: 1, ...(schema && { output_schema: schema }) },
  };
  return testRun({
    kind,
    turns: stored,
    artifacts: [ARTIFACT],
    agent: schema ? agent : null,
  });
}

const limits = (maxSteps: number) => ({ maxSteps }) as RunLimits; // nothing else is read

test("a whole answer is the text after the last call, artifacts, an agent's name and value", () => {
  expect(resultOf(run([{ text: "I look.", calls: true }, { text: "Found." }]), limits(9))).toEqual({
    text: "Found.",
    artifacts: [ARTIFACT],
  });
  expect(resultOf(run([{ text: ' {"city":"Bern"}' }], { schema: CITY }), limits(9))).toEqual({
    text: ' {"city":"Bern"}',
    agent_id: "a1",
    agent_name: "Helper",
    artifacts: [ARTIFACT],
    data: { city: "Bern" },
  });
});

test("a cut answer is put together of its pieces; what goes not on is dropped", () => {
  const cut = { finish: "length" };
  expect(
    resultOf(
      run([{ text: "One ", ...cut }, { text: "two ", ...cut }, { text: "three." }]),
      limits(9),
    )?.text,
  ).toBe("One two three.");
  expect(resultOf(run([{ text: "" }, { text: "Here." }]), limits(9))?.text).toBe("Here.");
  expect(
    resultOf(run([{ text: "{}" }, { text: '{"city":"Bern"}' }], { schema: CITY }), limits(9))?.data,
  ).toEqual({ city: "Bern" });
});

const CUT: Turn = { text: "One ", finish: "length" };
const EMPTY: Turn = { text: "\n " };
const MISFIT: Turn = { text: "{}" };

test.each<[string, Turn, number, string]>([
  ["that is cut off", CUT, 2, "OUTPUT_TRUNCATED"],
  ["without a word", EMPTY, 1, "EMPTY_ANSWER"],
  ["that does not fit", MISFIT, 1, "MODEL_CANNOT_ANSWER"],
])(
  "an answer %s is asked for again so often and no more, and never past the last step",
  (_, turn, times, code) => {
    const options = { schema: CITY };
    const answers = (count: number) => Array.from({ length: count }, () => turn);
    const failure = expect.objectContaining({ code });
    for (let asked = 1; asked <= times; asked += 1)
      expect(resultOf(run(answers(asked), options), limits(asked + 1))).toBeNull();
    expect(() => resultOf(run(answers(times + 1), options), limits(9))).toThrow(failure);
    expect(() => resultOf(run(answers(1), options), limits(1))).toThrow(failure);
    // Another reason in between, or a call, and it is asked again.
    const other = turn === EMPTY ? CUT : EMPTY;
    if (turn !== MISFIT)
      expect(
        resultOf(
          run([...answers(times), { text: "I look.", calls: true }, turn], options),
          limits(9),
        ),
      ).toBeNull();
    expect(resultOf(run([...answers(times), other], options), limits(9))).toBeNull();
  },
);

test("a whole value is an answer though its rest was cut; a number may go on", () => {
  const cut = { finish: "length" };
  const value = '{"city":"Bern"}';
  expect(resultOf(run([{ text: value, ...cut }], { schema: CITY }), limits(9))?.data).toEqual({
    city: "Bern",
  });
  const count: JsonObject = { type: "integer" };
  expect(resultOf(run([{ text: "12", ...cut }], { schema: count }), limits(9))).toBeNull();
  expect(resultOf(run([{ text: value, ...cut }]), limits(9))).toBeNull();
});

test("what a provider has filtered is no answer, and names its model", () => {
  const filtered = run([{ text: "Some of", finish: "content-filter" }]);
  expect(() => resultOf(filtered, limits(9))).toThrow(
    expect.objectContaining({
      code: "CONTENT_FILTERED",
      message: expect.stringContaining("vendor/model"),
    }),
  );
});

test("a model asked again is told why, and one that ends well is told nothing", () => {
  const said = (turn: Turn, schema?: JsonObject) => {
    const one = run([turn, { text: "Later." }], { schema });
    return one.transcript.turns[0] ? saidAfter(one, one.transcript.turns[0]) : undefined;
  };
  expect(said(CUT)).toMatch(/^Your message was cut off .* Go on exactly where it stopped/);
  expect(said({ finish: "length" })).toMatch(
    /^You came to the limit .* before you had said anything/,
  );
  expect(said(EMPTY)).toMatch(/^Your last message was empty/);
  expect(said(MISFIT, CITY)).toContain("does not fit the output_schema: ");
  for (const turn of [{ text: "Good." }, { calls: true }, { text: "I look.", calls: true }])
    expect(said(turn)).toBeNull();
  expect(said({ text: '{"city":"Bern"}' }, CITY)).toBeNull();
});

test("only an answer of a wrong form is corrected without tools", () => {
  expect(isCorrected(run([MISFIT], { schema: CITY }))).toBe(true);
  for (const turn of [EMPTY, CUT, { text: '{"city":"Bern"}' }, { calls: true }])
    expect(isCorrected(run([turn], { schema: CITY }))).toBe(false);
  expect(isCorrected(run([MISFIT]))).toBe(false);
  expect(isCorrected(run([]))).toBe(false);
});

test("the next message replaces the one that was no answer; cut text stays, wrong not", () => {
  expect(messageBefore(run([CUT]))).toEqual({ messageId: "m0", carried: "One " });
  expect(messageBefore(run([CUT, { finish: "length" }]))).toEqual({
    messageId: "m0",
    carried: "One ",
  });
  expect(messageBefore(run([{ text: "Old.", calls: true }, EMPTY]))).toEqual({
    messageId: "m1",
    carried: "",
  });
  expect(messageBefore(run([{ text: "[]" }, MISFIT], { schema: CITY }))).toEqual({
    messageId: "m1",
    carried: "",
  });
  expect(messageBefore(run([{ text: "Old.", calls: true }, {}]))).toBeNull();
  expect(messageBefore(run([{ text: "Good." }]))).toBeNull();
});

test("a schema holds for what the agent answers, not for who builds or runs it", () => {
  for (const kind of ["agent", "app"] as const)
    expect(outputSchema(run([], { schema: CITY, kind }))).toEqual(CITY);
  for (const kind of ["agent_edit", "agent_creation", "super_agent"] as const)
    expect(outputSchema(run([], { schema: CITY, kind }))).toBeNull();
  expect(outputSchema(run([]))).toBeNull();
});

test.each([
  ['{"city":"Bern"}', { ok: true, data: { city: "Bern" } }],
  ['\n```json\n{"city":"Bern"}\n```\n', { ok: true, data: { city: "Bern" } }],
  ['```\n{"city":"Bern"}\n```', { ok: true, data: { city: "Bern" } }],
  ["It is Bern.", { ok: false, problem: "it is not one JSON value" }],
  ['Here: ```json\n{"city":"Bern"}\n```', { ok: false, problem: "it is not one JSON value" }],
])("the value that the message %j consists of", (text, expected) => {
  expect(readData(text, CITY)).toEqual(expected);
});

test("of what does not fit a schema five places are named, each by its path", () => {
  const schema = {
    type: "object",
    properties: Object.fromEntries([..."abcdef"].map((name) => [name, { type: "string" }])),
  } as JsonObject;
  const read = readData(
    JSON.stringify(Object.fromEntries([..."abcdef"].map((name) => [name, 1]))),
    schema,
  );
  const problems = read.ok ? [] : read.problem.split("; ");
  expect(problems).toHaveLength(5);
  for (const problem of problems) expect(problem).toMatch(/^\S+: \S/);
  const whole = readData("[]", schema);
  expect(whole.ok ? "" : whole.problem).toMatch(/^[^:]+$/);
});

test("a person is told what the model said in place of the value, in 500 characters", () => {
  const failing = (text: string) => {
    try {
      resultOf(run([MISFIT, { text }], { schema: CITY }), limits(9));
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
    return "";
  };
  expect(failing(` ${"w".repeat(500)} `)).toMatch(
    /: it is not one JSON value\. The model says: w{500}$/,
  );
  expect(failing("w".repeat(501))).toMatch(/The model says: w{499}…$/);
});
