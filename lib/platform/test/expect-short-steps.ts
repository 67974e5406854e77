import { expect } from "vitest";
import type { SlicedWork } from "@/lib/platform/in-slices";

/**
 * What a step may cost, in a reference of some 15 ms on the machines of today: steps are made to
 * take 10 to 30 ms, work in one go took 130 to 3,800. What lies between is room for caches that
 * neighbours have emptied, and for the collection of garbage, which the reference has none of.
 */
const UNITS = 5;
const REFERENCE_TURNS = 12_000_000;
const ROUNDS_MAX = 8;

/**
 * Fails when a step of the work is long: longer than a few times a fixed piece of computing, which
 * is timed beside it in the same process, so that a slow or busy machine changes nothing. Of each
 * step the cheapest of several rounds counts, as other work only ever adds; rounds are made only
 * until all steps fit.
 */
export function expectShortSteps(makeWork: () => SlicedWork<unknown>): void {
  let unit = Number.POSITIVE_INFINITY;
  const steps: number[] = [];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    // Twice: the first time it may not be compiled yet, and long steps would pass beside it.
    unit = Math.min(unit, costOf(reference), costOf(reference));
    const work = makeWork();
    for (let step = 0, isDone = false; !isDone; step += 1) {
      const cost = costOf(() => {
        isDone = work.next().done ?? false;
      });
      steps[step] = Math.min(steps[step] ?? Number.POSITIVE_INFINITY, cost);
    }
    if (longestOf(steps) <= UNITS * unit) return;
  }
  expect(
    longestOf(steps),
    `milliseconds of the longest of ${steps.length} steps; the reference takes ${unit}`,
  ).toBeLessThanOrEqual(UNITS * unit);
}

function longestOf(steps: number[]): number {
  return steps.reduce((most, step) => Math.max(most, step), 0);
}

function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function reference(): number {
  let sum = 0;
  for (let turn = 0; turn < REFERENCE_TURNS; turn += 1)
    sum = Math.imul(sum + turn, 31) ^ (sum >>> 7);
  return sum;
}
