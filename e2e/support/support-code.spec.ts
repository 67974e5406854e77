import { expect, test } from "@playwright/test";
import type { RunEvent } from "@/lib/client/schemas";
import { expectWholeLog, lastMessageText, readNdjson, requireBareMarker } from "./run-log";
import { startHelperServer } from "./servers";
import { until } from "./until";
import { WebhookInbox } from "./webhook-inbox";

const RUN = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b";

function line(sequence: number, type: string, more: Record<string, unknown>): RunEvent {
  // A test may leave out what it does not look at.
  return {
    type,
    sequence_number: sequence,
    run_id: RUN,
    created_at: "2026-01-02T03:04:05.678Z",
    ...more,
  } as unknown as RunEvent;
}

const CREATED = line(0, "run.created", {
  render_protocol: 1,
  status: "pending",
  agent_id: null,
  conversation_id: null,
});
const FAILED = line(2, "run.failed", {
  status: "failed",
  error: { code: "TIMEOUT", message: "It took too long." },
});
const DELTA = line(1, "output_text.delta", { message_id: "m", delta: "hi" });

async function collect(parts: Uint8Array[]): Promise<unknown[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const lines: unknown[] = [];
  for await (const found of readNdjson(body)) lines.push(found);
  return lines;
}

test("lines are read whole however the bytes were cut, inside a character too", async () => {
  const bytes = new TextEncoder().encode('{"a":"ü🌍"}\n\n{"b":2}');
  for (let size = 1; size <= bytes.length; size += 1) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    expect(await collect(parts)).toEqual([{ a: "ü🌍" }, { b: 2 }]);
  }
});

test("a line that is not JSON is an error, never skipped", async () => {
  await expect(collect([new TextEncoder().encode('{"a":1}\nnonsense\n')])).rejects.toThrow();
});

test("a log with a gap, a second terminal line, none, or not last, is no whole one", () => {
  expect(expectWholeLog([CREATED, DELTA, FAILED]).type).toBe("run.failed");
  for (const broken of [
    [CREATED, FAILED],
    [CREATED, DELTA],
    [DELTA, FAILED],
    [CREATED, DELTA, FAILED, { ...FAILED, sequence_number: 3 }],
  ]) {
    expect(() => expectWholeLog(broken)).toThrow();
  }
});

test("the last message's text leaves out the messages that were replaced", () => {
  const lines = [
    line(1, "message.created", { message_id: "a", role: "assistant" }),
    line(2, "output_text.delta", { message_id: "a", delta: "old" }),
    line(3, "message.created", { message_id: "b", role: "assistant", replaces: "a" }),
    line(4, "output_text.delta", { message_id: "b", delta: "ne" }),
    line(5, "output_text.delta", { message_id: "b", delta: "w" }),
  ];
  expect(lastMessageText(lines)).toBe("new");
});

test("a tool marker that carries an input or an output does not fit the contract", () => {
  const marker = { tool_call_id: "t", name: "todo" };
  expect(() => requireBareMarker(line(1, "tool.started", marker))).not.toThrow();
  expect(() => requireBareMarker(line(1, "tool.started", { ...marker, input: {} }))).toThrow(
    "input",
  );
  expect(() =>
    requireBareMarker(line(1, "tool.completed", { ...marker, status: "succeeded", output: "x" })),
  ).toThrow("output");
});

test("waiting ends with an error that says for what, not never", async () => {
  await expect(
    until("a miracle", async () => false, { deadlineMs: 60, everyMs: 10 }),
  ).rejects.toThrow("a miracle");
});

test("the webhook receiver records calls in order and answers as its script says", async () => {
  const server = await startHelperServer("webhook");
  try {
    const inbox = new WebhookInbox(server.url);
    await inbox.answerWith([{ status: 500 }, { status: 410, headers: { "x-scripted": "yes" } }]);
    const first = await fetch(inbox.url, {
      method: "POST",
      body: "1",
      headers: { "webhook-id": "w" },
    });
    const second = await fetch(`${inbox.url}/deeper`, { method: "POST", body: "2" });
    expect([first.status, second.status, second.headers.get("x-scripted")]).toEqual([
      500,
      410,
      "yes",
    ]);
    const calls = await inbox.waitFor(2);
    expect(calls.map((call) => call.body)).toEqual(["1", "2"]);
    expect(calls[0]?.headers["webhook-id"]).toBe("w");
  } finally {
    await server.stop();
  }
});
