import { expect, test } from "vitest";
import { countTests } from "./count-tests.mjs";

/** @param {import("./count-tests.mjs").VitestTest[]} assertionResults */
const vitest = (assertionResults, more = {}) => ({
  testResults: [{ name: "/clone/lib/a.test.ts", status: "passed", assertionResults, ...more }],
});
/** @param {Pick<import("./count-tests.mjs").PlaywrightSpec, "title" | "tests">[]} specs */
const playwright = (...specs) => ({
  suites: [
    {
      title: "api/a.spec.ts",
      file: "api/a.spec.ts",
      specs: [],
      suites: [
        {
          title: "a group",
          file: "api/a.spec.ts",
          specs: specs.map((spec) => ({ file: "api/a.spec.ts", line: 7, ...spec })),
        },
      ],
    },
  ],
});

test("tests of both runners are counted by their reports, failed ones named", () => {
  const unit = vitest([
    { fullName: "a passes", status: "passed" },
    { fullName: "b fails", status: "failed", location: { line: 3, column: 1 } },
    { fullName: "c (needs python3)", status: "skipped" },
  ]);
  expect(countTests(unit, 1, "/clone")).toEqual({
    passed: 1,
    failed: 1,
    skipped: ["c (needs python3)"],
    failures: [{ title: "b fails", file: "lib/a.test.ts", line: 3 }],
  });
  const ends = playwright(
    { title: "passes", tests: [{ status: "expected" }] },
    { title: "fails", tests: [{ status: "unexpected" }] },
    { title: "is flaky", tests: [{ status: "flaky" }] },
    { title: "is skipped", tests: [{ status: "skipped" }] },
  );
  expect(countTests(ends, 1)).toEqual({
    passed: 2,
    failed: 1,
    skipped: ["a group › is skipped"],
    failures: [{ title: "a group › fails", file: "e2e/api/a.spec.ts", line: 7 }],
  });
});

test("a file that did not load, and a runner that broke, count as failures", () => {
  expect(countTests(vitest([], { status: "failed" }), 1, "/clone")).toMatchObject({
    failed: 1,
    failures: [{ file: "lib/a.test.ts" }],
  });
  expect(countTests(vitest([{ fullName: "a", status: "passed" }]), 1, "/clone")).toMatchObject({
    passed: 1,
    failed: 1,
    failures: [],
  });
  expect(countTests(null, 1)).toEqual({ passed: 0, failed: 1, skipped: [], failures: [] });
});
