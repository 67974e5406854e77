import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collectWhenIdle } from "./collect-when-idle.mjs";

const LOOK_MS = 10_000;
const MIB = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A process that holds so much, is so busy, and falls back to 80 MiB when it collects. */
function made() {
  const state = { heap: 100 * MIB, busy: 0, collections: 0 };
  const watched = collectWhenIdle({
    heapBytes: () => state.heap,
    busyShare: () => state.busy,
    collect: () => {
      state.heap = 80 * MIB;
      state.collections += 1;
    },
  });
  return { state, stop: watched.stop, look: () => vi.advanceTimersByTime(LOOK_MS) };
}

test("collects what the start left, and nothing again while nothing was added", () => {
  const { state, look } = made();
  look();
  expect(state.collections).toBe(1);
  state.heap += 15 * MIB;
  look();
  look();
  expect(state.collections).toBe(1);
});

test("waits for the end of the load, whatever it holds", () => {
  const { state, look } = made();
  look();
  Object.assign(state, { heap: 400 * MIB, busy: 0.3 });
  for (let looks = 0; looks < 5; looks += 1) look();
  expect(state.collections).toBe(1);
  state.busy = 0.01;
  look();
  expect(state.collections).toBe(2);
  expect(state.heap).toBe(80 * MIB);
});

test("stops", () => {
  const { state, look, stop } = made();
  stop();
  look();
  expect(state.collections).toBe(0);
});

test("V8 gives memory back", () => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { stop } = collectWhenIdle({ busyShare: () => 0 });
  const held: { garbage: object[] | null } = {
    garbage: Array.from({ length: 600_000 }, (_, index) => ({ index, text: `${index}` })),
  };
  const full = process.memoryUsage().heapTotal;
  held.garbage = null;
  vi.advanceTimersByTime(LOOK_MS);
  stop();
  expect(full - process.memoryUsage().heapTotal).toBeGreaterThan(16 * MIB);
});
