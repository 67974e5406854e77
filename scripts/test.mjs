import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countTests } from "./lib/count-tests.mjs";
import { findChromium } from "./lib/find-chromium.mjs";
import { prepare } from "./lib/prepare.mjs";
import { runChecks } from "./lib/run-checks.mjs";
import { runScript } from "./lib/run-script.mjs";
import { say, sayStep } from "./lib/say.mjs";
import { staticChecks } from "./lib/static-checks.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CACHE = join(ROOT, ".cache");

/** `npm test`: sets up what is missing, then every check and every test. The last line is `N passed, N failed`. */
await runScript(async () => {
  say("Setting up");
  await prepare({ root: ROOT });
  const browser = await sayStep("Finding a browser", () => findChromium(CACHE));

  say("\nChecks");
  const brokenChecks = await runChecks(staticChecks(ROOT), { root: ROOT });

  say("\nUnit tests, and tests on PostgreSQL");
  const vitestReport = join(CACHE, "vitest.json");
  const vitest = await runTests(
    "vitest/vitest.mjs",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`],
    vitestReport,
  );

  say("\nEnd-to-end tests");
  const playwrightReport = join(CACHE, "playwright.json");
  const playwright = await runTests("@playwright/test/cli.js", ["test", "--reporter=list,json"], playwrightReport, {
    PLAYWRIGHT_CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
  });

  if (brokenChecks.length > 0) say(`\nChecks that failed: ${brokenChecks.join(", ")}.`);
  const failed = brokenChecks.length + vitest.failed + playwright.failed;
  say(`\n${vitest.passed + playwright.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});

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
  return countTests(existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null, exitCode);
}
