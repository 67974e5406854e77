import { expect, test } from "vitest";
import type { Transcript } from "@/lib/domain/execution/run/transcript";
import { testRun, testTranscript } from "@/lib/domain/test/test-run";

/**
 * A run whose calls are these, each in a turn of its own: its tool with its input, and what it
 * gave; undefined: nothing yet.
 */
function run(calls: [string, unknown, unknown?][]): Transcript {
  const turns = calls.map(([toolName, input], turn) => ({
    turn,
    content: [
      { type: "text", text: "Again." },
      { type: "tool-call", toolCallId: `c${turn}`, toolName, input },
    ],
  }));
  const results = calls.flatMap(([name, , output], turn) =>
    output === undefined
      ? []
      : [[`c${turn}`, { toolCallId: `c${turn}`, name, succeeded: true, output }] as const],
  );
  return testTranscript(turns, new Map(results));
}

/** What the last of these calls is answered in place of being made. */
function answerOf(calls: [string, unknown, unknown?][]) {
  const [name, input] = calls.at(-1) ?? ["", null];
  return run(calls).repeatedResult({ toolCallId: `c${calls.length - 1}`, name, input });
}

const SAME: [string, unknown, unknown] = ["fetch", { page: 1 }, "empty"];
const OTHER: [string, unknown, unknown] = ["fetch", { page: 2 }, "empty"];
const NEXT: [string, unknown] = ["fetch", { page: 1 }];

test("the third call in a row with the same result is not made, as its model is told", () => {
  expect(answerOf([OTHER, SAME, SAME, NEXT])).toEqual({
    succeeded: false,
    status: "refused",
    output: {
      error: expect.stringContaining("This is the same call with the same arguments again"),
    },
  });
});

test.each<[string, [string, unknown, unknown?][]]>([
  ["it is the second", [SAME, NEXT]],
  ["another was made in between", [SAME, SAME, OTHER, NEXT]],
  ["another tool was called so in between", [SAME, SAME, ["read", { page: 1 }, "empty"], NEXT]],
  ["the results differ", [SAME, ["fetch", { page: 1 }, "new"], NEXT]],
  ["one of them has no result yet", [SAME, ["fetch", { page: 1 }], NEXT]],
])("a call is made where %s", (_, calls) => {
  expect(answerOf(calls)).toBeNull();
});

test("the super-agent may ask for what it waits for as often as it likes, an agent not", () => {
  expect(testRun({ kind: "super_agent" }).program.mayRepeat).toBe(true);
  expect(testRun({}).program.mayRepeat).toBe(false);
});

test("calls after it do not count, and once told so it is told again", () => {
  const told = answerOf([SAME, SAME, NEXT])?.output;
  expect(answerOf([SAME, SAME, ["fetch", { page: 1 }, told], NEXT])?.output).toEqual(told);
  expect(
    run([SAME, SAME, SAME]).repeatedResult({
      toolCallId: "c1",
      name: "fetch",
      input: { page: 1 },
    }),
  ).toBeNull();
});

test("a model is stuck that was told twice in a row that it repeats itself", () => {
  const told = answerOf([SAME, SAME, NEXT])?.output;
  const again: [string, unknown, unknown] = ["fetch", { page: 1 }, told];
  expect(run([SAME, SAME, again, again]).isStuckBefore(4)).toBe(true);
  for (const calls of [
    [],
    [again],
    [SAME, SAME, again],
    [again, again, SAME],
    [again, SAME, again],
  ])
    expect(run(calls).isStuckBefore(calls.length)).toBe(false);
});
