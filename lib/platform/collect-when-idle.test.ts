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
  const state = { heap: 100 * MIB, busy: 0, takes: 10, at: 0, told: [] as string[] };
  const watched = collectWhenIdle({
    heapBytes: () => state.heap,
    busyShare: () => state.busy,
    collect: () => {
      state.heap = Math.min(state.heap, 80 * MIB);
      state.at += state.takes;
    },
    now: () => state.at,
    doing: (what) => state.told.push(what),
  });
  const look = (times = 1) => {
    for (let time = 0; time < times; time += 1) {
      state.at += LOOK_MS;
      vi.advanceTimersByTime(LOOK_MS);
    }
  };
  return { state, stop: watched.stop, look, collections: () => state.told.length };
}

test("collects what the start left after two idle looks, nothing while little was added", () => {
  const { state, look, collections } = made();
  look();
  expect(collections()).toBe(0);
  look();
  expect(collections()).toBe(1);
  state.heap += 19 * MIB;
  look(5);
  expect(collections()).toBe(1);
  state.heap += 2 * MIB;
  look();
  expect(collections()).toBe(2);
});

test("waits for the end of the load, whatever it holds", () => {
  const { state, look, collections } = made();
  look(2);
  Object.assign(state, { heap: 400 * MIB, busy: 0.03 });
  look(5);
  expect(collections()).toBe(1);
  state.busy = 0.01;
  look(2);
  expect(collections()).toBe(2);
  expect(state.heap).toBe(80 * MIB);
});

test("rests for long after one that took long, and ends with one that took a second", () => {
  const { state, look, collections } = made();
  state.takes = 200;
  look(2);
  state.heap = 400 * MIB;
  look(5);
  expect(collections()).toBe(1);
  state.takes = 1_001;
  look();
  expect(collections()).toBe(2);
  state.heap = 400 * MIB;
  look(100);
  expect(collections()).toBe(2);
});

test("stops", () => {
  const { look, stop, collections } = made();
  stop();
  look(3);
  expect(collections()).toBe(0);
});

test("V8 gives memory back", () => {
  const { stop } = collectWhenIdle({ busyShare: () => 0 });
  const held: { garbage: object[] | null } = {
    garbage: Array.from({ length: 600_000 }, (_, index) => ({ index, text: `${index}` })),
  };
  const full = process.memoryUsage().heapTotal;
  held.garbage = null;
  vi.advanceTimersByTime(2 * LOOK_MS);
  stop();
  expect(full - process.memoryUsage().heapTotal).toBeGreaterThan(16 * MIB);
});
