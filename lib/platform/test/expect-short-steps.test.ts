import { expect, test } from "vitest";
import { expectShortSteps } from "@/lib/platform/test/expect-short-steps";

function* work(steps: number, turns: number) {
  let sum = 0;
  for (let step = 0; step < steps; step += 1) {
    for (let turn = 0; turn < turns; turn += 1) sum = Math.imul(sum + turn, 31);
    yield;
  }
  return sum;
}

test("many short steps pass, whatever they cost together, and one long one does not", () => {
  // Together as much as the long one, which is some twenty times the reference, where five are
  // allowed.
  expectShortSteps(() => work(300, 1_000_000));
  expect(() => expectShortSteps(() => work(1, 300_000_000))).toThrow("longest of 2 steps");
});
