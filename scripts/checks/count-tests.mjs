import { relative } from "node:path";

/**
 * @typedef {{ title: string, file: string, line?: number, state: "passed" | "failed" | "skipped" }}
 * TestOutcome
 * @typedef {{ title: string, file?: string, line?: number, command?: string }} Failure
 * @typedef {{ passed: number, failed: number, skipped: string[], failures: Failure[] }} TestCount
 * @typedef {{
 *   fullName: string,
 *   status: string,
 *   location?: { line: number, column: number } | null,
 * }} VitestTest
 * @typedef {{ name: string, status: string, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ title: string, file: string, line: number, tests: { status: string }[] }}
 * PlaywrightSpec
 * @typedef {{ title: string, file: string, specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }}
 * PlaywrightSuite
 * @typedef {{ suites?: PlaywrightSuite[], testResults?: VitestFile[] }} Report the JSON of vitest
 * or of Playwright
 */

/**
 * `{ passed, failed, skipped, failures }` of a test runner's JSON report (vitest's or Playwright's)
 * and its exit code: how many passed and failed, the titles of those that were skipped, and of each
 * that failed `{ title, file, line }`. A runner that failed without a failed test, or left no
 * report, counts as one failure: a file that could not be loaded must not pass unseen.
 * @param {Report | null} report
 * @param {number} exitCode
 * @param {string} [root]
 * @returns {TestCount}
 */
export function countTests(report, exitCode, root = process.cwd()) {
  const tests = (
    report?.suites ? playwrightTests(report.suites) : vitestTests(report?.testResults ?? [], root)
  ).filter(Boolean);
  const failures = tests
    .filter(({ state }) => state === "failed")
    .map(({ title, file, line }) => ({ title, file, line }));
  return {
    passed: tests.filter(({ state }) => state === "passed").length,
    failed: exitCode !== 0 && failures.length === 0 ? 1 : failures.length,
    skipped: tests.filter(({ state }) => state === "skipped").map(({ title }) => title),
    failures,
  };
}

/**
 * @param {VitestFile[]} files
 * @param {string} root
 * @returns {TestOutcome[]}
 */
function vitestTests(files, root) {
  /** @type {TestOutcome[]} */
  const outcomes = [];
  for (const { name, status, assertionResults } of files) {
    const file = relative(root, name);
    // A file that could not be loaded has no tests.
    if (status === "failed" && assertionResults.length === 0)
      outcomes.push({ title: "(the file could not be loaded)", file, state: "failed" });
    for (const { fullName, status: state, location } of assertionResults)
      outcomes.push({
        title: fullName,
        file,
        line: location?.line,
        state: state === "passed" || state === "failed" ? state : "skipped",
      });
  }
  return outcomes;
}

/**
 * @param {PlaywrightSuite[]} suites
 * @param {string[]} [names]
 * @returns {TestOutcome[]}
 */
function playwrightTests(suites, names = []) {
  return suites.flatMap((suite) => {
    // The outermost suites are the files.
    const here = suite.title === suite.file ? names : [...names, suite.title];
    /** @type {TestOutcome[]} */
    const own = (suite.specs ?? []).flatMap((spec) =>
      spec.tests.map(({ status }) => ({
        title: [...here, spec.title].join(" › "),
        file: `e2e/${spec.file}`,
        line: spec.line,
        state: status === "skipped" ? "skipped" : status === "unexpected" ? "failed" : "passed",
      })),
    );
    return [...own, ...playwrightTests(suite.suites ?? [], here)];
  });
}
