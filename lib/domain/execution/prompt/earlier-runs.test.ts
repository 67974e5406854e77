import { expect, test } from "vitest";
import {
  divideRuns,
  type EarlierCall,
  type EarlierRun,
  recordOfConversation,
} from "@/lib/domain/execution/prompt/earlier-runs";

/** A call whose line has nine characters. */
const call = (name: string): EarlierCall => ({
  ...{ turn: 0, toolCallId: name, name, succeeded: true },
  ...{ said: "", input: null, output: "", length: 0 },
});
const earlier = (runId: string, texts: string[], calls: string[] = []): EarlierRun => ({
  runId,
  position: 1,
  messages: texts.map((text, index) => ({
    role: index === 0 ? ("user" as const) : ("assistant" as const),
    text,
    runId,
    position: index,
  })),
  calls: calls.map(call),
});
const RUNS = [
  earlier("new", ["abc", "de"], ["f", "g"]),
  earlier("mid", ["klm"]),
  earlier("old", ["n"]),
];

test.each([
  [22, 60, []],
  [23, 60, ["new"]],
  [25, 60, ["new"]],
  [26, 60, ["new", "mid"]],
  [27, 60, ["new", "mid", "old"]],
  [99, 1, []],
  [99, 2, ["new"]],
  [99, 3, ["new", "mid"]],
  [99, 4, ["new", "mid", "old"]],
])(
  "into %i characters and %i messages go whole runs, the newest first: %j",
  (room, messages, expected) => {
    const { shown, fallen } = divideRuns(RUNS, room, messages);
    expect(shown.map(({ runId }) => runId)).toEqual(expected);
    expect([...shown, ...fallen]).toEqual(RUNS);
  },
);

test("sixty messages are shown where nobody says how many", () => {
  const texts = Array.from({ length: 60 }, () => "x");
  expect(divideRuns([earlier("all", texts)], 1_000).shown).toHaveLength(1);
  expect(divideRuns([earlier("all", [...texts, "x"])], 1_000).shown).toEqual([]);
});

test("a conversation's record is what was said and done, oldest first, after its summary", () => {
  const lines = ["user: n", "user: klm", "user: abc", "assistant: de", "g  gave: ", "f  gave: "];
  expect(recordOfConversation({ summary: null, shown: RUNS })).toEqual(lines);
  expect(recordOfConversation({ summary: { text: "Long ago.", through: 3 }, shown: RUNS })).toEqual(
    ["Summary of what came before:\nLong ago.", ...lines],
  );
});
