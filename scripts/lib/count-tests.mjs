import { relative } from "node:path";

/**
 * `{ passed, failed, skipped, failures }` of a test runner's JSON report (vitest's or Playwright's) and its exit code: how many passed and
 * failed, the titles of those that were skipped, and of each that failed `{ title, file, line }`. A runner that failed without a failed
 * test, or left no report, counts as one failure: a file that could not be loaded must not pass unseen.
 */
export function countTests(report, exitCode, root = process.cwd()) {
  const tests = (report?.suites ? playwrightTests(report.suites) : vitestTests(report?.testResults ?? [], root)).filter(Boolean);
  const failures = tests.filter(({ state }) => state === "failed").map(({ title, file, line }) => ({ title, file, line }));
  return {
    passed: tests.filter(({ state }) => state === "passed").length,
    failed: exitCode !== 0 && failures.length === 0 ? 1 : failures.length,
    skipped: tests.filter(({ state }) => state === "skipped").map(({ title }) => title),
    failures,
  };
}

function vitestTests(files, root) {
  return files.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    // A file that could not be loaded has no tests.
    if (status === "failed" && assertionResults.length === 0) return [{ title: "(the file could not be loaded)", file, state: "failed" }];
    return assertionResults.map(({ fullName, status: state, location }) => ({
      title: fullName,
      file,
      line: location?.line,
      state: state === "passed" || state === "failed" ? state : "skipped",
    }));
  });
}

function playwrightTests(suites, names = []) {
  return suites.flatMap((suite) => {
    // The outermost suites are the files.
    const here = suite.title === suite.file ? names : [...names, suite.title];
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
