import { AsyncLocalStorage } from "node:async_hooks";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { expect, test, vi } from "vitest";
import { type PartSink, PartStream, readParts } from "@/lib/runtime/models/part-stream";

const { signal } = new AbortController();
const delta = (text: string): LanguageModelV4StreamPart => ({
  type: "text-delta",
  id: "0",
  delta: text,
});
const saidIn = (parts: readonly LanguageModelV4StreamPart[]) =>
  parts.map((part) => (part.type === "text-delta" ? part.delta : part.type)).join("");

/** A stream whose parts the test gives. */
function given() {
  const flow = { pause: vi.fn(), resume: vi.fn(), cancel: vi.fn() };
  const begun: PartSink[] = [];
  const stream = new PartStream((to) => {
    begun.push(to);
    return flow;
  });
  const sink = () => {
    const [to, ...more] = begun;
    if (!to || more.length > 0) throw new Error(`It was begun ${begun.length} times.`);
    return to;
  };
  return { stream, flow, sink };
}

test("parts are handed over as they come, in the reader's context, to the end", async () => {
  const { stream, sink } = given();
  const context = new AsyncLocalStorage<string>();
  const seen: LanguageModelV4StreamPart[] = [];
  const reading = context.run("the reader's", () =>
    readParts(
      stream,
      (part) => {
        expect(context.getStore()).toBe("the reader's");
        seen.push(part);
        return false;
      },
      signal,
    ),
  );
  sink().parts([delta("a"), delta("b")]);
  expect(saidIn(seen)).toBe("ab");
  sink().parts([delta("c")]);
  sink().end();
  await reading;
  expect(saidIn(seen)).toBe("abc");
});

test("who has heard enough gets nothing more, and the stream is cancelled", async () => {
  const { stream, flow, sink } = given();
  const seen: LanguageModelV4StreamPart[] = [];
  const reading = readParts(stream, (part) => seen.push(part) === 2, signal);
  sink().parts([delta("a"), delta("b"), delta("c")]);
  await reading;
  sink().parts([delta("d")]);
  expect(saidIn(seen)).toBe("ab");
  expect(flow.cancel).toHaveBeenCalledOnce();
});

test("an aborted signal cancels the stream and fails the reading, if before too", async () => {
  const { stream, flow, sink } = given();
  const abort = new AbortController();
  const seen: LanguageModelV4StreamPart[] = [];
  const reading = readParts(stream, (part) => seen.push(part) === 0, abort.signal);
  abort.abort(new Error("cancelled"));
  sink().parts([delta("a")]);
  await expect(reading).rejects.toThrow("cancelled");
  expect(flow.cancel).toHaveBeenCalledOnce();
  const late = given();
  await expect(readParts(late.stream, () => false, abort.signal)).rejects.toThrow("cancelled");
  expect(late.flow.cancel).toHaveBeenCalledOnce();
  expect(seen).toEqual([]);
});

test("what breaks it off is what the reading fails with", async () => {
  const { stream, sink } = given();
  const reading = readParts(stream, () => false, signal);
  sink().fail(new Error("broken off"));
  await expect(reading).rejects.toThrow("broken off");
});

test("read as any stream it gives the same, begins once, and waits for slow readers", async () => {
  const { stream, flow, sink } = given();
  const reader = stream.getReader();
  const first = reader.read();
  await expect.poll(() => sink()).toBeDefined();
  sink().parts([delta("a")]);
  expect(await first).toEqual({ done: false, value: delta("a") });
  expect(flow.pause).not.toHaveBeenCalled();
  sink().parts([delta("b"), delta("c")]);
  expect(flow.pause).toHaveBeenCalled();
  const read = [await reader.read(), await reader.read()].map(({ value }) => value);
  expect(read).toEqual([delta("b"), delta("c")]);
  const last = reader.read();
  await expect.poll(() => flow.resume.mock.calls.length).toBeGreaterThan(0);
  sink().end();
  expect(await last).toEqual({ done: true, value: undefined });
});

test("a stream that is cancelled before anybody has read it cancels its source", async () => {
  const { stream, flow } = given();
  await stream.cancel();
  expect(flow.cancel).toHaveBeenCalledOnce();
});
