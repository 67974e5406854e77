import "../scripts/setup/on-supported-node.mjs";

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { freePort } from "../scripts/setup/free-port.mjs";
import { prepare } from "../scripts/setup/prepare.mjs";
import { print } from "../scripts/setup/progress.mjs";
import { runScript } from "../scripts/setup/run-script.mjs";
import { cpuSeconds, forkChild, forkReporting } from "./processes.mjs";
import { startService } from "./start-service.mjs";

/**
 * `node bench/profile.mjs [--rounds N] [--seconds N] [--v8 FILE]`: where the processor time of a
 * run of one turn goes, while 16 connections start them without a pause. Of the service and of its
 * database, in each round; then, in a window of its own, of each statement, those within functions
 * too: how often a run has it, what it takes (waits for locks are in it) and what its planning
 * does, and the pages that it touches. With `--v8` the service's profile is written, for Chrome's
 * tools.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CLIENTS = 16;
const WARM_UPS = 4;
/** Of a round: its time ends it. */
const RUNS_MAX = 1_000_000;
const SHOWN = 40;
const SHOWN_CHARACTERS = 110;

/** @typedef {{ count: number, finishedPerSecond: number }} Load */

await runScript(async (shutdown) => {
  const { values } = parseArgs({
    options: { rounds: { type: "string" }, seconds: { type: "string" }, v8: { type: "string" } },
  });
  const ms = Number(values.seconds ?? 3) * 1_000;
  await prepare({ root: ROOT });
  const { said } = await forkReporting("model-server.mjs", {}, shutdown);
  const inspector = values.v8 === undefined ? null : await freePort();
  if (inspector !== null) process.env.NODE_OPTIONS = `--inspect=127.0.0.1:${inspector}`;
  const modelUrl = `http://127.0.0.1:${said.port}/v1`;
  const service = await startService({ root: ROOT, modelUrl }, shutdown);
  delete process.env.NODE_OPTIONS;
  const client = forkChild("client.mjs", {}, shutdown);
  const { name, port, headers } = service;
  /** @returns {Promise<Load>} */
  const load = () =>
    new Promise((resolve, reject) => {
      client.once("message", (/** @type {{ result: Load, error?: string }} */ { result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(error)),
      );
      const sides = [{ name, port, headers }];
      const plan = { model: "n1-i0", clients: CLIENTS, ms, most: RUNS_MAX, sides };
      client.send({ job: "accept", plan });
    });
  for (let count = 0; count < WARM_UPS; count++) await load();

  print("\n| round | a run, ms | service | database | finished a second |");
  print("| ---: | ---: | ---: | ---: | ---: |");
  for (let round = 1; round <= Number(values.rounds ?? 3); round++) {
    const before = [cpuSeconds(service.processes), cpuSeconds(service.database.pids)];
    const { count, finishedPerSecond } = await load();
    const after = [cpuSeconds(service.processes), cpuSeconds(service.database.pids)];
    const [own = 0, database = 0] = after.map((at, i) => ((at - (before[i] ?? 0)) * 1_000) / count);
    const figures = [own + database, own, database].map((each) => each.toFixed(2));
    print(`| ${round} | ${figures.join(" | ")} | ${finishedPerSecond.toFixed(0)} |`);
  }
  if (inspector !== null && values.v8 !== undefined) {
    writeFileSync(values.v8, JSON.stringify(await profiled(inspector, load)));
    print(`\nThe service's profile: ${values.v8}`);
  }
  await printStatements(service.database, load);
  client.disconnect();
  await shutdown.run();
});

/**
 * @param {Awaited<ReturnType<typeof startService>>["database"]} database
 * @param {() => Promise<Load>} load
 */
async function printStatements(database, load) {
  /** @param {"on" | "off"} state */
  const count = async (state) => {
    const track = state === "on" ? "all" : "none";
    await database.query(`ALTER SYSTEM SET pg_stat_statements.track = '${track}'`);
    await database.query(`ALTER SYSTEM SET pg_stat_statements.track_planning = '${state}'`);
    await database.query("SELECT pg_reload_conf()");
  };
  await count("on");
  await database.query("SELECT pg_stat_statements_reset()");
  const runs = (await load()).count;
  const rows = await database.query(
    `SELECT query, calls / $1::float8 AS calls, total_exec_time / $1::float8 AS ms,
       plans / $1::float8 AS plans, total_plan_time / $1::float8 AS plan_ms,
       shared_blks_hit / $1::float8 AS pages
     FROM pg_stat_statements WHERE calls > $1::float8 / 10 AND query NOT LIKE '%pg_stat%'
     ORDER BY total_exec_time + total_plan_time DESC LIMIT $2`,
    [runs, SHOWN],
  );
  await count("off");
  print("\n| calls a run | ms a run | plans a run | ms of them | pages | statement |");
  print("| ---: | ---: | ---: | ---: | ---: | --- |");
  for (const { query, calls, ms, plans, plan_ms, pages } of rows) {
    const figures = [calls.toFixed(2), ms.toFixed(3), plans.toFixed(2), plan_ms.toFixed(3)];
    const text = query.replace(/\s+/g, " ").replaceAll("|", "\\|").slice(0, SHOWN_CHARACTERS);
    print(`| ${figures.join(" | ")} | ${pages.toFixed(0)} | \`${text}\` |`);
  }
}

/**
 * What V8's profiler saw of the process behind an inspector's port during `work`.
 * @param {number} port
 * @param {() => Promise<unknown>} work
 * @returns {Promise<object>}
 */
async function profiled(port, work) {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  /** @type {Map<number, (result: { profile?: object }) => void>} */
  const waiting = new Map();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(data);
    waiting.get(id)?.(result);
  });
  /** @param {string} method @param {object} [params] @returns {Promise<{ profile?: object }>} */
  const call = (method, params = {}) =>
    new Promise((resolve) => {
      waiting.set(waiting.size + 1, resolve);
      socket.send(JSON.stringify({ id: waiting.size, method, params }));
    });
  await call("Profiler.enable");
  await call("Profiler.setSamplingInterval", { interval: 200 });
  await call("Profiler.start");
  await work();
  const { profile } = await call("Profiler.stop");
  socket.close();
  if (profile === undefined) throw new Error("The inspector gave no profile.");
  return profile;
}
