import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { countTests } from "./lib/count-tests.mjs";
import { findChromium } from "./lib/find-chromium.mjs";
import { prepare } from "./lib/prepare.mjs";
import { runChecks } from "./lib/run-checks.mjs";
import { runScript } from "./lib/run-script.mjs";
import { say, sayStep } from "./lib/say.mjs";
import { SetupError } from "./lib/setup-error.mjs";
import { staticChecks } from "./lib/static-checks.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CACHE = join(ROOT, ".cache");

/**
 * `npm test`: sets up what is missing, then every check and every test, the fast ones first, and at last the short bench; what is fast and broken is told before
 * anything is built. `npm test -- PATH …` runs the tests of those files alone. The end names what failed and how to run just that; the
 * last line is `N passed, N failed`.
 */
await runScript(async () => {
  const paths = process.argv.slice(2);
  const results = paths.length > 0 ? await runOnly(paths) : await runAll();
  const sum = (of) => results.reduce((total, result) => total + of(result), 0);
  const skipped = results.flatMap((result) => result.skipped);
  if (skipped.length > 0) say(`\n${skipped.length} skipped on this machine:\n${skipped.map((title) => `  - ${title}`).join("\n")}`);
  const failures = results.flatMap((result) => result.failures);
  if (failures.length > 0) say(`\nFailed:\n${failures.map(toLine).join("\n")}`);
  const failed = sum((result) => result.failed);
  say(`\n${sum((result) => result.passed)} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});

async function runAll() {
  say("Setting up");
  await prepare({ root: ROOT, build: false });

  say("\nChecks");
  const broken = await runChecks(staticChecks(ROOT), { root: ROOT });
  const checks = { passed: 0, failed: broken.length, skipped: [], failures: broken.map((title) => ({ title, command: "npm run check" })) };

  say("\nUnit tests");
  const unit = await runVitest("unit");
  say("\nTests on PostgreSQL");
  const results = [checks, unit, await runVitest("db")];
  if (results.some(({ failed }) => failed > 0)) {
    say("\nThe end-to-end tests were not run, as something before them failed.");
    return results;
  }
  results.push(await runPlaywright([]));
  return [...results, await runBench()];
}

/** The short form of the bench: fails when the service has become several times slower beside bare Node on the same machine. */
async function runBench() {
  const title = "Speed beside the reference";
  const failed = await runChecks([{ title, args: [join(ROOT, "bench/run.mjs"), "--short"] }], { root: ROOT });
  const failures = failed.map((name) => ({ title: name, command: "npm run bench -- --short" }));
  return { passed: 1 - failed.length, failed: failed.length, skipped: [], failures };
}

async function runOnly(paths) {
  const names = paths.map((path) => relative(ROOT, join(process.cwd(), path)));
  const [missing] = names.filter((name) => !existsSync(join(ROOT, name)));
  if (missing !== undefined)
    throw new SetupError(`There is no file or folder ${missing}. Name test files or folders: npm test -- e2e/api/limits.spec.ts`);
  const ends = names.filter((name) => name.startsWith("e2e"));
  const others = names.filter((name) => !name.startsWith("e2e"));
  say("Setting up");
  await prepare({ root: ROOT, build: false });
  return [...(others.length > 0 ? [await runVitest(null, others)] : []), ...(ends.length > 0 ? [await runPlaywright(ends)] : [])];
}

function runVitest(project, paths = []) {
  const report = join(CACHE, `vitest-${project ?? "some"}.json`);
  const args = ["run", ...(project ? ["--project", project] : []), ...paths, "--includeTaskLocation"];
  return runTests("vitest/vitest.mjs", [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`], report);
}

async function runPlaywright(paths) {
  say("\nEnd-to-end tests");
  await prepare({ root: ROOT });
  const browser = await sayStep("Finding a browser", () => findChromium(CACHE));
  const report = join(CACHE, "playwright.json");
  return runTests("@playwright/test/cli.js", ["test", ...paths, "--reporter=list,json"], report, {
    PLAYWRIGHT_CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
}

async function runTests(program, args, report, env = {}) {
  mkdirSync(CACHE, { recursive: true });
  rmSync(report, { force: true });
  const exitCode = await new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, "node_modules", program), ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: "inherit",
    });
    child.on("error", () => resolve(1)).on("close", (code) => resolve(code ?? 1));
  });
  return countTests(existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null, exitCode, ROOT);
}

function toLine({ title, file, line, command }) {
  const place = file ? ` (${file}${line ? `:${line}` : ""})` : "";
  return `  ✗ ${title}${place}\n      ${command ?? `npm test -- ${file}`}`;
}
