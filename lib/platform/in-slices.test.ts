import { expect, test } from "vitest";
import { atOnce } from "@/lib/model/at-once";
import { inSlices } from "@/lib/platform/in-slices";

/** Work of `steps`, each of which takes `stepMs` of the clock that is given. */
function clockedWork(steps: number, stepMs: number) {
  let now = 0;
  let since = 0;
  const slices: number[] = [];
  function* work() {
    for (let step = 0; step < steps; step += 1) {
      now += stepMs;
      since += stepMs;
      yield;
    }
    return "done";
  }
  const turn = async () => {
    slices.push(since);
    since = 0;
  };
  return { work: work(), slices, options: { clock: () => now, turn } };
}

test("others have a turn when the work has held the loop for milliseconds", async () => {
  const { work, slices, options } = clockedWork(1_000, 1);
  expect(await inSlices(work, options)).toBe("done");
  expect(Math.max(...slices)).toBeLessThanOrEqual(8);
  expect(Math.min(...slices)).toBeGreaterThanOrEqual(8);
  expect(slices).toHaveLength(125);
});

test("a step that is longer than a slice is followed by a turn of its own", async () => {
  const { work, slices, options } = clockedWork(5, 30);
  await inSlices(work, options);
  expect(slices).toEqual([30, 30, 30, 30, 30]);
});

test("an abort ends the work at its next step", async () => {
  const controller = new AbortController();
  let steps = 0;
  function* endless() {
    for (;;) {
      steps += 1;
      if (steps === 10) controller.abort(new Error("enough"));
      yield;
    }
  }
  await expect(inSlices(endless(), { signal: controller.signal })).rejects.toThrow("enough");
  expect(steps).toBe(10);
});

test("timers fire while it works", async () => {
  let isOver = false;
  function* untilTimer() {
    while (!isOver) yield;
    return "heard it";
  }
  setTimeout(() => {
    isOver = true;
  }, 1);
  expect(await inSlices(untilTimer())).toBe("heard it");
});

test("what is small is done at once", () => {
  expect(atOnce(clockedWork(3, 1).work)).toBe("done");
});
