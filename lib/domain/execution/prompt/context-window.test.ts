import { expect, test } from "vitest";
import {
  noteWindow,
  resultTokensMax,
  windowOf,
} from "@/lib/domain/execution/prompt/context-window";
import { testRun } from "@/lib/domain/test/test-run";
import { testService } from "@/lib/platform/test/test-service";

testService({
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "one,two,small",
});

interface Case {
  model?: string;
  /** Digits, of which each counts as a token, in what the run was asked for. */
  asked?: number;
  /** Digits in the results of the calls that have one; null: it has none yet. */
  results?: (number | null)[];
  maxOutputTokens?: number;
}

function room({
  model = "compatible/one",
  asked = 0,
  results = [null],
  maxOutputTokens,
}: Case = {}): number | null {
  const content = results.map((_, index) => ({
    type: "tool-call",
    toolCallId: `c${index}`,
    toolName: "t",
    input: {},
  }));
  const stored = results.flatMap((digits, index) =>
    digits === null ? [] : [[`c${index}`, { output: "7".repeat(digits) }] as const],
  );
  const settings =
    maxOutputTokens === undefined ? {} : { model_settings: { max_output_tokens: maxOutputTokens } };
  const run = testRun({
    kind: "agent",
    model,
    agent: { skillContent: "", config: { version: 1, ...settings } },
    compaction: null,
    conversation: null,
    input: { request: "7".repeat(asked) },
    turns: [{ turn: 0, content }],
    toolResults: new Map(stored),
  });
  return resultTokensMax(run, 0);
}

test("a result has what the prompt and the answer leave of the model's window", () => {
  const empty = room() ?? 0;
  expect(empty).toBeGreaterThan(90_000);
  expect(empty).toBeLessThan(128_000 * 0.8);
  expect(empty - (room({ asked: 50_000 }) ?? 0)).toBe(50_000);
  expect(room({ maxOutputTokens: 16_000 })).toBe(empty);
  expect(room({ model: "anthropic/claude-sonnet-4-5", maxOutputTokens: 64_000 })).toBeLessThan(
    136_000,
  );
});

test("results side by side share the room, and what one leaves is left for the others", () => {
  const one = room() ?? 0;
  const four = room({ results: [null, null, null, null] }) ?? 0;
  expect(four * 4).toBeLessThanOrEqual(one);
  expect(four * 4).toBeGreaterThan(one * 0.95);
  const last = room({ results: [10, 10, 10, null] }) ?? 0;
  expect(last).toBeGreaterThan(one * 0.95);
  const afterLarge = room({ results: [four, null, null, null] }) ?? 0;
  expect(afterLarge * 3 + four).toBeLessThanOrEqual(one);
});

test("a result has room even in a full window: what came before can be summed up", () => {
  expect(room({ asked: 128_000 })).toBeGreaterThan(128_000 * 0.15);
  expect(room({ asked: 128_000, results: Array.from({ length: 1_000 }, () => null) })).toBe(200);
});

test("a model without a window has no such bound, and one told by its server that", () => {
  expect(room({ model: "builtin/offline" })).toBeNull();
  noteWindow({ model: "compatible/small" }, 8_192);
  noteWindow({ model: "compatible/two" }, 30);
  noteWindow({ model: "anthropic/claude-sonnet-4-5" }, 8_192);
  expect(windowOf({ model: "anthropic/claude-sonnet-4-5" })).toBe(200_000);
  expect(windowOf({ model: "compatible/small" })).toBe(8_192);
  expect(windowOf({ model: "compatible/two" })).toBe(128_000);
  expect(room({ model: "compatible/small" })).toBeLessThan(8_192 * 0.8);
});

test("only the file reader's note of a document takes pages: others' are words", () => {
  const document = {
    file_id: "00000000-0000-4000-8000-000000000000",
    sha256: "a",
    path: "a.pdf",
    pages: 12,
  };
  const left = (result: object) => {
    const called = (id: string) => ({ type: "tool-call", toolCallId: id, toolName: "t" });
    const run = testRun({
      kind: "agent",
      model: "compatible/one",
      agent: { skillContent: "", config: { version: 1 } },
      compaction: null,
      conversation: null,
      input: {},
      turns: [{ turn: 0, content: [called("c0"), called("c1")] }],
      toolResults: new Map([["c0", { succeeded: true, output: { document }, ...result }]]),
    });
    return resultTokensMax(run, 0) ?? 0;
  };
  const theirs = left({ name: "lookup" });
  expect(theirs - left({ name: "files_read" })).toBe(12 * 5_000);
  expect(left({ name: "files_read", succeeded: false })).toBe(theirs);
  const many = { document: { ...document, pages: 101 } };
  expect(left({ name: "files_read", output: many })).toBeGreaterThan(theirs - 100);
});
