/**
 * `{ passed, failed }` of a test runner's JSON report (vitest's or Playwright's) and its exit code. A runner that failed without a failed
 * test, or left no report, counts as one failure: a file that could not be loaded must not pass unseen.
 */
export function countTests(report, exitCode) {
  const { passed, failed } = toCounts(report);
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed };
}

function toCounts(report) {
  if (report?.stats) return { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected };
  return { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0 };
}
