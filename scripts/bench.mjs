import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { freePort } from "./lib/free-port.mjs";
import { openDatabase } from "./lib/open-database.mjs";
import { prepare } from "./lib/prepare.mjs";
import { runScript } from "./lib/run-script.mjs";
import { say } from "./lib/say.mjs";
import { serve } from "./lib/serve.mjs";

/**
 * `npm run bench`: what the service does on this machine, on a database of its own: accepting runs, reading a run, and streams beside the same
 * streams straight from the model server. All on loopback, client and servers on the same processors: compare ratios, not single figures.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TOKENS = 200;
const STREAMS = 50;

await runScript(async (ending) => {
  await prepare({ root: ROOT });
  const model = await startModelServer();
  ending.add(() => model.close());
  const service = await startService(ending, model.address().port);
  const { api_key: key } = await createAccount();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ input: { text: "hello" } });

  const accept = () => fetch(`${service}/v1/runs`, { method: "POST", headers, body }).then(requireStatus(202));
  for (const clients of [1, 16]) report(`accept a run, ${clients} at once`, await load(accept, { clients, count: 300 }));
  const one = await accept();
  const read = () => fetch(`${service}/v1/runs/${one.run_id}`, { headers }).then(requireStatus(200));
  for (const clients of [1, 16, 64]) report(`read a run, ${clients} at once`, await load(read, { clients, count: 1000 }));

  const direct = await streams(`http://127.0.0.1:${model.address().port}/v1/chat/completions`, {}, JSON.stringify({ stream: true }));
  const served = await streams(`${service}/v1/realtime/runs`, headers, body);
  say(`${STREAMS} streams of ${TOKENS} tokens: model server ${direct} ms, service ${served} ms, ratio ${(served / direct).toFixed(2)}`);
  await ending.run();
  process.exit(0);
});

async function load(send, { clients, count }) {
  const times = [];
  let left = count;
  const started = performance.now();
  const work = async () => {
    while (left-- > 0) {
      const at = performance.now();
      await send();
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  return { perSecond: (count / (performance.now() - started)) * 1000, p50: at(0.5), p99: at(0.99) };
}

function report(what, { perSecond, p50, p99 }) {
  say(`${what}: ${perSecond.toFixed(0)}/s, p50 ${p50} ms, p99 ${p99} ms`);
}

async function streams(url, headers, body) {
  const started = performance.now();
  const one = async () => {
    const response = await fetch(url, { method: "POST", headers, body });
    for await (const _ of response.body);
  };
  await Promise.all(Array.from({ length: STREAMS }, one));
  return Math.round(performance.now() - started);
}

function requireStatus(status) {
  return async (response) => {
    const text = await response.text();
    if (response.status !== status) throw new Error(`answered with ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
}

function startModelServer() {
  const chunk = (delta, extra) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...extra }] })}\n\n`;
  const usage = { choices: [], usage: { prompt_tokens: 10, completion_tokens: TOKENS, total_tokens: 10 + TOKENS } };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      let sent = 0;
      const timer = setInterval(() => {
        response.write(chunk({ content: "tok " }));
        if (++sent < TOKENS) return;
        clearInterval(timer);
        response.end(`${chunk({}, { finish_reason: "stop" })}data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`);
      }, 10);
      response.on("close", () => clearInterval(timer));
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function startService(ending, modelPort) {
  const folder = mkdtempSync(join(tmpdir(), "lathe-bench-"));
  ending.add(() => rmSync(folder, { recursive: true, force: true }));
  Object.assign(process.env, {
    PORT: String(await freePort()),
    DATA_DIR: folder,
    LOG_LEVEL: "error",
    IP_LIMIT_PER_MINUTE: "0",
    OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
    OPENAI_COMPATIBLE_MODELS: "bench",
    DEFAULT_MODEL: "compatible/bench",
  });
  const database = await openDatabase(ROOT);
  ending.add(() => database.stop());
  return serve({ root: ROOT, ending });
}

async function createAccount() {
  const flags = ["--email", "bench@example.com", "--password", "bench-bench-bench", "--credits", "100000"];
  const limits = ["--read-per-minute", "100000000", "--runs-per-minute", "100000000"];
  const child = spawn(process.execPath, [join(ROOT, "scripts/admin.mjs"), "account", "create", ...flags, ...limits], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8")) output += text;
  return JSON.parse(output);
}
