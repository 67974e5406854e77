import { expect, test } from "vitest";
import { type Show, toTraceSpans } from "@/lib/domain/runs/trace-spans";

type Run = Parameters<typeof toTraceSpans>[0];
type Rows = Parameters<typeof toTraceSpans>[1];

const at = (second: number) => new Date(Date.UTC(2026, 0, 31, 12, 0, second));
const show: Show = async (text, length) => ({
  value: text === null ? null : JSON.parse(text),
  truncated: text !== null && (length ?? 0) > text.length,
});
const run = (more: Partial<Run> = {}): Run => ({
  ...{ status: "completed", input: { text: "go" }, model: "test/m" },
  ...{ createdAt: at(0), startedAt: at(1), completedAt: at(50) },
  ...more,
});
const turn = (
  of: number,
  begins: number,
  more: Partial<Rows["turns"][number]> = {},
): Rows["turns"][number] => ({
  ...{
    turn: of,
    model: "test/m",
    finish_reason: "stop",
    started_at: at(begins),
    created_at: at(begins + 2),
  },
  ...{ first_token_ms: 30, reasoning_tokens: 4, request_id: "req", capability: "chat" },
  ...{
    input_tokens: 1,
    cached_input_tokens: 2,
    output_tokens: 3,
    micros: "2500000",
    content: '"said"',
    content_length: 6,
    told: null,
    told_length: null,
  },
  ...more,
});
const call = (
  of: number,
  id: string,
  begins: number,
  more: Partial<Rows["calls"][number]> = {},
): Rows["calls"][number] => ({
  ...{
    turn: of,
    tool_call_id: id,
    name: "todo",
    asked_at: at(begins - 1),
    started_at: at(begins),
    ended_at: at(begins + 2),
    child_run_id: null,
  },
  ...{
    succeeded: true,
    arguments: '{"a":1}',
    arguments_length: 7,
    output: '"done"',
    output_length: 6,
  },
  ...more,
});
const approval = (more: Partial<Rows["approvals"][number]> = {}): Rows["approvals"][number] => ({
  ...{
    id: "ask",
    tool_call_id: "c",
    tool_name: "todo",
    status: "approved",
    summary: "May it?",
    created_at: at(6),
    decided_at: at(7),
  },
  ...more,
});
const spans = (more: Partial<Rows>, of = run()) =>
  toTraceSpans(
    of,
    { turns: [], calls: [], messages: [], approvals: [], spans: [], attempts: [], ...more },
    show,
  );
const nothing = {
  credits: 0,
  attributes: {},
  input: null,
  output: null,
  error: null,
  truncated: false,
};

test("a run's spans are told whole, in order, each turn as long as its parts", async () => {
  const usage = { input_tokens: 1, cached_input_tokens: 2, output_tokens: 3 };
  const model = {
    model: "test/m",
    capability: "chat",
    finish_reason: "stop",
    ...usage,
    reasoning_tokens: 4,
    first_token_ms: 30,
    request_id: "req",
  };
  const queue = {
    ...nothing,
    spanId: "queue",
    parentId: null,
    kind: "queue",
    name: "Waiting for a place",
    startedAt: at(0),
    endedAt: at(1),
  };
  const told = await spans({
    turns: [turn(0, 1), turn(1, 9, { micros: null })],
    calls: [call(0, "c", 4)],
    approvals: [approval()],
  });
  expect(told).toEqual([
    { ...queue, status: "succeeded" },
    {
      ...nothing,
      ...{
        spanId: "turn-0",
        parentId: null,
        kind: "turn",
        name: "Turn 1",
        status: "succeeded",
        startedAt: at(1),
        endedAt: at(6),
      },
      attributes: { turn: 0 },
    },
    {
      ...{
        spanId: "model-0",
        parentId: "turn-0",
        kind: "model",
        name: "test/m",
        status: "succeeded",
        startedAt: at(1),
        endedAt: at(3),
      },
      ...{
        credits: 2.5,
        attributes: model,
        input: [{ role: "user", content: { text: "go" } }],
        output: "said",
        error: null,
        truncated: false,
      },
    },
    {
      ...nothing,
      ...{
        spanId: "tool-c",
        parentId: "turn-0",
        kind: "tool",
        name: "todo",
        status: "succeeded",
        startedAt: at(4),
        endedAt: at(6),
      },
      ...{ attributes: { tool_call_id: "c" }, input: { a: 1 }, output: "done" },
    },
    {
      ...nothing,
      ...{
        spanId: "approval-ask",
        parentId: "tool-c",
        kind: "approval",
        name: "todo",
        status: "succeeded",
        startedAt: at(6),
        endedAt: at(7),
      },
      attributes: { approval_id: "ask", decision: "approved", summary: "May it?" },
    },
    {
      ...nothing,
      ...{
        spanId: "turn-1",
        parentId: null,
        kind: "turn",
        name: "Turn 2",
        status: "succeeded",
        startedAt: at(9),
        endedAt: at(11),
      },
      attributes: { turn: 1 },
    },
    {
      ...{
        spanId: "model-1",
        parentId: "turn-1",
        kind: "model",
        name: "test/m",
        status: "succeeded",
        startedAt: at(9),
        endedAt: at(11),
      },
      ...{
        credits: 0,
        attributes: model,
        input: [{ role: "tool", span_id: "tool-c" }],
        output: "said",
        error: null,
        truncated: false,
      },
    },
  ]);
});

test("of a run at work the model at work is told, not while a place is awaited", async () => {
  const running = run({ status: "running", completedAt: null });
  const last = async (more: Partial<Rows>, of = running) => (await spans(more, of)).at(-1);
  const going = {
    ...nothing,
    kind: "model",
    name: "test/m",
    status: "running",
    endedAt: null,
    attributes: { model: "test/m" },
  };
  expect(await last({})).toEqual({
    ...going,
    spanId: "model-0",
    parentId: "turn-0",
    startedAt: at(1),
  });
  const [, begun] = await spans({}, running);
  expect(begun).toMatchObject({
    spanId: "turn-0",
    status: "running",
    endedAt: null,
    startedAt: at(1),
  });
  const more = { turns: [turn(0, 1)], calls: [call(0, "c", 4)] };
  expect(await last(more)).toEqual({
    ...going,
    spanId: "model-1",
    parentId: "turn-1",
    startedAt: at(6),
  });
  const ids = async (rows: Partial<Rows>, of: Run) =>
    (await spans(rows, of)).map(({ spanId, status }) => `${spanId} ${status}`);
  const open = {
    turns: [turn(0, 1)],
    calls: [call(0, "c", 4, { ended_at: null, succeeded: null })],
  };
  expect(await ids(open, running)).toEqual([
    "queue succeeded",
    "turn-0 running",
    "model-0 succeeded",
    "tool-c running",
  ]);
  expect(await ids({}, run({ status: "running", startedAt: null, completedAt: null }))).toEqual([
    "queue running",
  ]);
  expect(await ids({}, run())).toEqual(["queue succeeded"]);
  expect(await ids(open, run({ status: "cancelled" }))).toEqual([
    "queue succeeded",
    "turn-0 succeeded",
    "model-0 succeeded",
    "tool-c cancelled",
  ]);
  expect((await last(open, run({ status: "cancelled" })))?.endedAt).toEqual(at(50));
});

test.each([
  ['{"error":"no such file"}', "no such file"],
  ['{"error":7}', "The call failed; see its output."],
  ['["error"]', "The call failed; see its output."],
  ['"broken"', "The call failed; see its output."],
  [null, "The call failed; see its output."],
])("a call that failed with %s says: %s", async (output, message) => {
  const told = await spans({ calls: [call(0, "c", 4, { succeeded: false, output })] });
  expect(told.at(-1)).toMatchObject({ status: "failed", error: { code: "TOOL_FAILED", message } });
  // Its turn went on: only a model that failed fails it.
  expect(told[1]).toMatchObject({ spanId: "turn-0", status: "succeeded" });
});

test.each([
  [{ status: "rejected" as const }, "failed", "tool-c"],
  [{ status: "expired" as const, tool_call_id: null }, "failed", null],
])("an approval with %o has %s, within %s", async (more, status, parentId) => {
  expect((await spans({ approvals: [approval(more)] })).at(-1)).toMatchObject({ status, parentId });
});

test("what began at once stands by turn, outer before inner; retries have usage", async () => {
  const retry: Rows["spans"][number] = {
    ...{
      id: "s",
      turn: 0,
      kind: "retry",
      name: "test/m",
      status: "failed",
      started_at: at(1),
      ended_at: at(2),
    },
    ...{ attributes: { charge: "turn-0-1", attempt: 1 }, error: { code: "E", message: "away" } },
    ...{
      input_tokens: null,
      cached_input_tokens: null,
      output_tokens: null,
      micros: null,
      output: null,
      output_length: null,
    },
  };
  const priced = {
    ...retry,
    id: "p",
    kind: "compaction" as const,
    input_tokens: 1,
    cached_input_tokens: 0,
    output_tokens: 2,
    micros: "1000000",
  };
  const failed = { ...retry, id: "m", kind: "model" as const, turn: 1 };
  const told = await spans(
    {
      turns: [turn(0, 1)],
      calls: [call(0, "c", 1)],
      approvals: [
        approval({ created_at: at(1), tool_call_id: null }),
        approval({ id: "other", created_at: at(0) }),
      ],
      spans: [failed, retry, priced],
    },
    run({ createdAt: at(1) }),
  );
  expect(told.map(({ spanId }) => spanId)).toEqual([
    "approval-other",
    "queue",
    "turn-0",
    "p",
    "s",
    "model-0",
    "tool-c",
    "approval-ask",
    "turn-1",
    "m",
  ]);
  const of = (id: string) => told.find(({ spanId }) => spanId === id);
  const own = {
    ...nothing,
    parentId: "turn-0",
    name: "test/m",
    status: "failed",
    startedAt: at(1),
    endedAt: at(2),
    error: { code: "E", message: "away" },
  };
  expect(of("s")).toEqual({ ...own, spanId: "s", kind: "retry", attributes: { attempt: 1 } });
  const attributes = { attempt: 1, input_tokens: 1, cached_input_tokens: 0, output_tokens: 2 };
  expect(of("p")).toEqual({ ...own, spanId: "p", kind: "compaction", credits: 1, attributes });
  expect([of("turn-0")?.status, of("turn-1")?.status]).toEqual(["succeeded", "failed"]);
});

test("a part says that it is cut where its input, output, or the run's is", async () => {
  const cut = async (more: Partial<Rows>, id: string) =>
    (await spans(more)).find(({ spanId }) => spanId === id)?.truncated;
  expect(await cut({ turns: [turn(0, 1, { content_length: 7 })] }, "model-0")).toBe(true);
  expect(await cut({ calls: [call(0, "c", 4, { arguments_length: 8 })] }, "tool-c")).toBe(true);
  expect(await cut({ calls: [call(0, "c", 4, { output_length: 7 })] }, "tool-c")).toBe(true);
  const all = await toTraceSpans(
    run(),
    { turns: [turn(0, 1)], calls: [], messages: [], approvals: [], spans: [], attempts: [] },
    async (text) => ({
      value: null,
      truncated: text === '{"text":"go"}',
    }),
  );
  expect(all.at(-1)?.truncated).toBe(true);
});
