import "./setup/on-supported-node.mjs";

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { serve } from "../lib/server/serve.mjs";
import { findChromium } from "./setup/find-chromium.mjs";
import { freePort } from "./setup/free-port.mjs";
import { openDatabase } from "./setup/open-database.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print, progress } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const VIEW = { width: 1440, height: 900 };
const SENTENCE =
  "Make an agent that reads a data file from the workspace and reports the number of rows and " +
  "the average, minimum and maximum of each numeric column.";
const REQUEST = "Report the average, minimum and maximum of every numeric column by weather.";
const FILE = "seattle-weather.csv";

/**
 * `npm run task -- docs:images`: the pictures of the README, of a run that really took place in a
 * service
 * of its own, in both colour schemes.
 */
await runScript(async (shutdown) => {
  await prepare({ root: ROOT });
  const service = await startService(shutdown);
  const executablePath = await findChromium(join(ROOT, ".cache"));
  const browser = await progress("Starting a browser", () =>
    chromium.launch({
      executablePath,
      chromiumSandbox: process.getuid?.() !== 0,
      args: ["--disable-gpu"],
    }),
  );
  shutdown.add(() => browser.close());
  const page = await browser.newPage({ viewport: VIEW, reducedMotion: "reduce" });
  await signUp(page, service);
  const runId = await progress("Running an agent", () => runAgent(page));
  await page.goto(`${service}/runs/${runId}`);
  await page.getByRole("button", { name: "Trace", exact: true }).click();
  await page.getByRole("list", { name: "Parts of the run" }).waitFor();
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme });
    const path = `docs/images/run-${colorScheme}.png`;
    await page.screenshot({ path: join(ROOT, path) });
    print(`  ${path}`);
  }
  await shutdown.run();
  process.exit(0);
});

/**
 * @param {import("./setup/run-script.mjs").Shutdown} shutdown
 * @returns {Promise<string>}
 */
async function startService(shutdown) {
  const folder = mkdtempSync(join(tmpdir(), "lathe-images-"));
  shutdown.add(() => rmSync(folder, { recursive: true, force: true }));
  const port = String(await freePort());
  Object.assign(process.env, {
    DATA_DIR: folder,
    PORT: port,
    NEXTAUTH_URL: `http://localhost:${port}`,
    LOG_LEVEL: "error",
  });
  const database = await openDatabase(ROOT);
  shutdown.add(() => database.stop());
  return serve({ root: ROOT, onShutdown: shutdown.add });
}

/**
 * @param {Page} page
 * @param {string} service
 */
async function signUp(page, service) {
  await page.goto(`${service}/sign-up`);
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a long pass phrase");
  await page.getByRole("button", { name: /^(sign up|create)/i }).click();
  await page.waitForURL((url) => url.pathname === "/");
}

/**
 * What a person does in the console, by the same requests.
 * @param {Page} page
 * @returns {Promise<string>} the run's id
 */
async function runAgent(page) {
  const build = JSON.parse(await call(page, "/agents", { input: SENTENCE }));
  const { agent_id } = await lastEvent(page, build.run_id);
  const { workspace_id } = JSON.parse(await call(page, "/workspaces", { name: "Weather" }));
  const table = readFileSync(join(ROOT, "node_modules/vega-datasets/data", FILE), "utf8");
  await call(page, `/workspaces/${workspace_id}/files?path=${FILE}`, table);
  const run = JSON.parse(
    await call(page, "/runs", { agent_id, workspace_id, input: { request: REQUEST } }),
  );
  await lastEvent(page, run.run_id);
  return run.run_id;
}

/**
 * @param {Page} page
 * @param {string} runId
 * @returns {Promise<{ agent_id: string }>}
 */
async function lastEvent(page, runId) {
  const lines = (await call(page, `/runs/${runId}/events`)).trim().split("\n");
  const last = JSON.parse(lines.at(-1) ?? "{}");
  if (last.type !== "run.completed")
    throw new SetupError(`The run did not complete: ${last.error?.message ?? last.type}`);
  return last;
}

/**
 * @param {Page} page
 * @param {string} path
 * @param {string | object} [body] a text is a file's content
 * @returns {Promise<string>}
 */
function call(page, path, body) {
  const request = {
    path,
    type: typeof body === "string" ? "text/csv" : "application/json",
    body: typeof body === "object" ? JSON.stringify(body) : body,
  };
  return page.evaluate(async ({ path, type, body }) => {
    const init =
      body === undefined ? {} : { method: "POST", headers: { "content-type": type }, body };
    const response = await fetch(`/api/console/v1${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return text;
  }, request);
}
