import "./setup/on-supported-node.mjs";

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runChecks, staticChecks } from "./checks/checks.mjs";
import { countTests } from "./checks/count-tests.mjs";
import { hashRepository, rememberTested } from "./checks/tested-files.mjs";
import { findChromium } from "./setup/find-chromium.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print, progress } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { runProgram } from "./setup/run-tool.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * @typedef {import("./checks/count-tests.mjs").TestCount} TestCount
 * @typedef {import("./checks/count-tests.mjs").Failure} Failure
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CACHE = join(ROOT, ".cache");

/**
 * `npm test`: sets up what is missing, then every check and every test, the fast ones first, and at
 * last the short bench; what is fast and broken is told before anything is built. `npm test --
 * PATH[:LINE] …` runs the tests of those files, or the one that begins at that line, alone; `npm
 * run test:watch [-- PATH …]` runs unit tests anew as files change. The end names what failed and
 * how to run just that; the last line is `N passed, N failed`.
 */
await runScript(async () => {
  const [first, ...rest] = process.argv.slice(2);
  if (first === "--watch") return watch(rest);
  const paths = first === undefined ? [] : [first, ...rest];
  const results = paths.length > 0 ? await runOnly(paths) : await runAll();
  const skipped = results.flatMap((result) => result.skipped);
  if (skipped.length > 0)
    print(
      `\n${skipped.length} skipped on this machine:\n` +
        `${skipped.map((title) => `  - ${title}`).join("\n")}`,
    );
  const failures = results.flatMap((result) => result.failures);
  if (failures.length > 0) print(`\nFailed:\n${failures.map(toLine).join("\n")}`);
  const failed = results.reduce((total, result) => total + result.failed, 0);
  print(
    `\n${results.reduce((total, result) => total + result.passed, 0)} passed, ${failed} failed`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
});

async function runAll() {
  print("Setting up");
  await prepare({ root: ROOT, build: false });

  print("\nChecks");
  const checks = await runCounted(staticChecks(ROOT), "npm run check");
  print("\nUnit tests");
  const hashes = hashRepository(ROOT);
  const unit = await runVitest("unit");
  rememberTested(ROOT, hashes, readReport(vitestReport("unit")));
  print("\nTests on PostgreSQL, while the console is built");
  const [db, build] = await Promise.all([runVitest("db"), buildConsole([checks, unit])]);
  const results = [checks, unit, db, build];
  if (results.some(({ failed }) => failed > 0)) {
    print("\nThe end-to-end tests were not run, as something before them failed.");
    return results;
  }
  results.push(await runPlaywright([]));
  // Fails when the service has become several times slower beside bare Node on the same machine.
  const bench = {
    title: "Speed beside the reference",
    args: [join(ROOT, "bench/run.mjs"), "--short"],
  };
  const speed = await runCounted([bench], "npm run bench -- --short");
  return [...results, { ...speed, passed: 1 - speed.failed }];
}

/**
 * Not when something has failed already: the end-to-end tests will not be run.
 * @param {TestCount[]} before
 * @returns {Promise<TestCount>}
 */
async function buildConsole(before) {
  const none = { passed: 0, failed: 0, skipped: [], failures: [] };
  if (before.some(({ failed }) => failed > 0)) return none;
  try {
    await prepare({ root: ROOT });
    return none;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    print(`${error.message}\n${error.details}`);
    return { ...none, failed: 1, failures: [{ title: error.message, command: "npm run build" }] };
  }
}

/**
 * @param {import("./checks/checks.mjs").Check[]} checks
 * @param {string} command runs just these
 * @returns {Promise<TestCount>} only the failed ones count: a check is no test
 */
async function runCounted(checks, command) {
  const broken = await runChecks(checks, { root: ROOT });
  return {
    passed: 0,
    failed: broken.length,
    skipped: [],
    failures: broken.map((title) => ({ title, command })),
  };
}

/** @param {string[]} paths */
async function runOnly(paths) {
  const names = paths.map((path) => relative(ROOT, join(process.cwd(), path)));
  const [missing] = names.filter((name) => !existsSync(join(ROOT, name.replace(/:\d+$/, ""))));
  if (missing !== undefined)
    throw new SetupError(
      `There is no file or folder ${missing}. Name test files or folders: npm test -- ` +
        "e2e/api/limits.spec.ts",
    );
  const ends = names.filter((name) => name.startsWith("e2e"));
  const others = names.filter((name) => !name.startsWith("e2e"));
  print("Setting up");
  await prepare({ root: ROOT, build: false });
  return [
    ...(others.length > 0 ? [await runVitest(null, others)] : []),
    ...(ends.length > 0 ? [await runPlaywright(ends)] : []),
  ];
}

/** @param {string[]} paths */
async function watch(paths) {
  await prepare({ root: ROOT, build: false });
  process.exitCode = await runProgram("vitest/vitest.mjs", ["--project", "unit*", ...paths], {
    cwd: ROOT,
  });
}

/**
 * @param {string | null} project
 * @param {string[]} [paths]
 */
function runVitest(project, paths = []) {
  const report = vitestReport(project);
  const args = [
    "run",
    ...(project ? ["--project", `${project}*`] : []),
    ...paths,
    "--includeTaskLocation",
  ];
  return runTests(
    "vitest/vitest.mjs",
    [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    report,
  );
}

/** @param {string[]} paths */
async function runPlaywright(paths) {
  print("\nEnd-to-end tests");
  await prepare({ root: ROOT });
  const browser = await progress("Finding a browser", () =>
    findChromium(CACHE, { isLight: paths.length === 0 }),
  );
  const report = join(CACHE, "playwright.json");
  return runTests("@playwright/test/cli.js", ["test", ...paths, "--reporter=list,json"], report, {
    ...(paths.length === 0 ? { E2E_TRACE: "off" } : {}),
    PLAYWRIGHT_CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} report
 * @param {Record<string, string>} [env]
 */
async function runTests(program, args, report, env = {}) {
  mkdirSync(CACHE, { recursive: true });
  rmSync(report, { force: true });
  const exitCode = await runProgram(program, args, { cwd: ROOT, env });
  return countTests(readReport(report), exitCode, ROOT);
}

/** @param {string | null} project */
function vitestReport(project) {
  return join(CACHE, `vitest-${project ?? "some"}.json`);
}

/** @param {string} report */
function readReport(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null;
}

/** @param {Failure} failure */
function toLine({ title, file, line, command }) {
  const place = file && line ? `${file}:${line}` : file;
  return `  ✗ ${title}${place ? ` (${place})` : ""}\n      ${command ?? `npm test -- ${place}`}`;
}
