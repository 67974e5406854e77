import { expect, it } from "vitest";
import type { LoggedEvent } from "@/lib/client/schemas";
import { TranscriptStore } from "@/lib/console/transcript/use-run-stream";

const event = (sequence: number): LoggedEvent => ({
  type: "output_text.delta",
  message_id: "m",
  delta: "a",
  sequence_number: sequence,
  run_id: "run",
  created_at: "2026-01-01T00:00:00.000Z",
});

it("tells its listeners once a frame, however many events came", () => {
  const frames: (() => void)[] = [];
  const store = new TranscriptStore((callback) => frames.push(callback));
  let told = 0;
  store.subscribe(() => {
    told += 1;
  });
  for (let index = 0; index < 50; index += 1) store.push(event(index));
  expect([told, frames.length, store.snapshot().lastSequence]).toEqual([0, 1, -1]);
  frames.shift()?.();
  expect([told, store.snapshot().lastSequence]).toEqual([1, 49]);
});

it("lets go of what waits when it is reset for another run", () => {
  const frames: (() => void)[] = [];
  const store = new TranscriptStore((callback) => frames.push(callback));
  store.push(event(0));
  store.reset();
  frames.shift()?.();
  expect(store.snapshot().blocks).toEqual([]);
});
