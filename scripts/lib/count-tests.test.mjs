import { expect, test } from "vitest";
import { countTests } from "./count-tests.mjs";

test("tests of both runners are counted from their reports", () => {
  expect(countTests({ numPassedTests: 7, numFailedTests: 2 }, 1)).toEqual({ passed: 7, failed: 2 });
  expect(countTests({ stats: { expected: 5, flaky: 1, unexpected: 3, skipped: 2 } }, 1)).toEqual({ passed: 6, failed: 3 });
});

test("a runner that broke without a failed test counts as a failure", () => {
  expect(countTests({ numPassedTests: 7, numFailedTests: 0 }, 1)).toEqual({ passed: 7, failed: 1 });
  expect(countTests(null, 1)).toEqual({ passed: 0, failed: 1 });
});
