import "./setup/on-supported-node.mjs";

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { errorCode } from "../lib/platform/error-code.mjs";
import { serve } from "../lib/server/serve.mjs";
import { apiClient } from "./setup/api-client.mjs";
import { demoInput } from "./setup/demo-input.mjs";
import { freePort } from "./setup/free-port.mjs";
import { openDatabase, readEnvironmentFile } from "./setup/open-database.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print, progress } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * @typedef {import("./setup/api-client.mjs").ApiClient} ApiClient
 * @typedef {import("./setup/run-script.mjs").Shutdown} Shutdown
 * @typedef {import("./setup/demo-input.mjs").FieldSchema} FieldSchema
 * @typedef {{ agent_id: string, name: string, version: string, description: string | null,
 * skill_content: string, config_content: string, inputs_schema: FieldSchema | null, config: {
 * inputs?: FieldSchema } | null }} Agent
 * @typedef {{ status: string, agent_id: string, error?: { message: string } | null }} BuildState
 * @typedef {{ type: string, message?: string, error?: { message: string }, usage?: { credits:
 * number }, result?: { text: string } }} RunLine
 */

/**
 * As it was given. Serving sets it, and in production the operator's command expects to have been
 * built.
 */
const { NODE_ENV } = process.env;
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SENTENCE =
  "Make an agent that reads a data file from the workspace and reports the number of rows and " +
  "the average, minimum and maximum of each numeric column.";
const ASK =
  "Report the number of rows and the average, minimum and maximum of every numeric column.";
const BUILD_LIMIT_MS = 180_000;
/** @type {Record<string, string>} */
const CONTENT_TYPES = {
  csv: "text/csv",
  json: "application/json",
  tsv: "text/tab-separated-values",
  md: "text/markdown",
  txt: "text/plain",
};

/**
 * `npm run demo [-- --exit] [--file PATH] [--sentence "…"] [--ask "…"]`: from nothing to an agent
 * that has worked on a real file. Everything goes through the same API that a customer uses. The
 * exit code is not 0 when any step failed.
 */
await runScript(async (shutdown) => {
  const options = readOptions();
  readEnvironmentFile(ROOT);
  print("Lathe: a hosted agent from one sentence\n\n1. Setting up");
  await prepare({ root: ROOT });
  const service = await startService(shutdown);
  const email = `demo-${randomBytes(3).toString("hex")}@example.com`;
  const password = randomBytes(12).toString("base64url");
  const account = await progress("Making an account", () =>
    admin("account", "create", [
      "--email",
      email,
      "--password",
      password,
      "--name",
      "Demo",
      "--read-per-minute",
      "600",
    ]),
  );
  const api = apiClient(service, account.api_key);

  print("\n2. Making an agent from this sentence\n");
  print(quoted(options.sentence));
  const agent = await createAgent(api, options.sentence);
  print(
    `\n  ${agent.name} ${agent.version}\n  ${agent.description ?? ""}\n\n` +
      `${quoted(agent.skill_content.trim())}\n\n${quoted(agent.config_content.trim())}`,
  );

  const path = basename(options.file);
  print(`\n3. Running it on ${path}\n`);
  const workspace = await uploadFile(api, agent, options.file, path);
  const input = demoInput(agent.inputs_schema ?? agent.config?.inputs, {
    request: options.ask,
    path,
  });
  const last = await run(api, {
    agent_id: agent.agent_id,
    workspace_id: workspace.workspace_id,
    input,
  });
  if (last.type !== "run.completed")
    throw new SetupError(
      `The run did not complete: ${last.error?.message ?? last.message ?? last.type}`,
    );

  print(`\n4. The answer (${last.usage?.credits ?? 0} credits)\n\n${last.result?.text}\n`);
  print(
    `  Console   ${service}/agents/${agent.agent_id}\n  Sign in   ${service}/sign-in\n` +
      `  Email     ${email}\n  Password  ${password}\n  API key   ${account.api_key}`,
  );
  if (!options.exit)
    return print("\nThe service stays up. Ctrl-C stops it and removes the demo's data.");
  await shutdown.run();
  process.exit(0);
});

function readOptions() {
  const { values } = parseArgs({
    options: {
      exit: { type: "boolean" },
      file: { type: "string" },
      sentence: { type: "string" },
      ask: { type: "string" },
    },
  });
  const file = values.file
    ? resolve(values.file)
    : join(ROOT, "node_modules/vega-datasets/data/seattle-weather.csv");
  return {
    exit: values.exit ?? false,
    file,
    sentence: values.sentence ?? SENTENCE,
    ask: values.ask ?? ASK,
  };
}

/**
 * @param {Shutdown} shutdown
 * @returns {Promise<string>}
 */
async function startService(shutdown) {
  process.env.PORT = String(await freePort());
  process.env.NEXTAUTH_URL = `http://localhost:${process.env.PORT}`;
  process.env.LOG_LEVEL ||= "error";
  process.env.AUDIT_LOG ||= "off";
  if (!process.env.DATA_DIR) {
    const folder = mkdtempSync(join(tmpdir(), "lathe-demo-"));
    process.env.DATA_DIR = folder;
    shutdown.add(() => rmSync(folder, { recursive: true, force: true }));
  }
  const database = await openDatabase(ROOT);
  shutdown.add(() => database.stop());
  const address = await serve({ root: ROOT, onShutdown: shutdown.add });
  print(`Lathe is ready on ${address}`);
  return address;
}

/**
 * The operator's command, as an operator would run it beside the running server.
 * @param {string} noun
 * @param {string} verb
 * @param {string[]} flags
 * @returns {Promise<{ api_key: string }>}
 */
async function admin(noun, verb, flags) {
  const env = { ...process.env, NODE_ENV };
  const child = spawn(process.execPath, [join(ROOT, "scripts/admin.mjs"), noun, verb, ...flags], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((done) => child.on("close", done));
  const [output, progress, code] = await Promise.all([
    collect(child.stdout),
    collect(child.stderr),
    ended,
  ]);
  if (code === 0) return JSON.parse(output);
  throw new SetupError(`"admin ${noun} ${verb}" failed.`, `${progress}${output}`.trim());
}

/** @param {NodeJS.ReadableStream} stream */
async function collect(stream) {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
}

/**
 * @param {ApiClient} api
 * @param {string} sentence
 * @returns {Promise<Agent>}
 */
async function createAgent(api, sentence) {
  /** @type {{ run_id: string }} */
  const started = await api.call("POST", "/v1/agents", { input: sentence });
  const deadline = Date.now() + BUILD_LIMIT_MS;
  return progress("Building the agent", async () => {
    for (;;) {
      /** @type {BuildState} */
      const state = await api.call("GET", `/v1/runs/${started.run_id}`);
      if (state.status === "completed") return api.call("GET", `/v1/agents/${state.agent_id}`);
      if (state.status === "failed" || state.status === "cancelled")
        throw new SetupError(`The agent was not built: ${state.error?.message ?? state.status}`);
      if (Date.now() > deadline)
        throw new SetupError("The agent was not built within three minutes.");
      await delay(300);
    }
  });
}

/**
 * @param {ApiClient} api
 * @param {Agent} agent
 * @param {string} file
 * @param {string} path
 * @returns {Promise<{ workspace_id: string }>}
 */
async function uploadFile(api, agent, file, path) {
  const content = readFile(file);
  /** @type {{ workspace_id: string }} */
  const workspace = await api.call("POST", "/v1/workspaces", { name: `Demo: ${path}` });
  const type =
    CONTENT_TYPES[path.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream";
  /** @type {{ size_bytes: number }} */
  const stored = await api.call(
    "POST",
    `/v1/workspaces/${workspace.workspace_id}/files?path=${encodeURIComponent(path)}`,
    content,
    type,
  );
  await api.call("PUT", `/v1/workspaces/${workspace.workspace_id}/agents/${agent.agent_id}`);
  print(
    `  Uploaded ${stored.size_bytes.toLocaleString("en")} bytes to a workspace. The stream of ` +
      "the run, line by line:\n",
  );
  return workspace;
}

/** @param {string} file */
function readFile(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SetupError(`The file ${file} cannot be read (${errorCode(error)}).`);
  }
}

/**
 * @param {ApiClient} api
 * @param {unknown} body
 * @returns {Promise<RunLine>}
 */
async function run(api, body) {
  /** @type {RunLine} */
  let last = { type: "no line at all" };
  for await (const line of api.stream("/v1/realtime/runs", body)) {
    print(`  ${line}`);
    last = JSON.parse(line);
  }
  return last;
}

/** @param {string} text */
function quoted(text) {
  return text.replace(/^/gm, "  │ ");
}
