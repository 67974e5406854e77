import { fork, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SetupError } from "../scripts/setup/setup-error.mjs";

/**
 * @typedef {import("node:child_process").ChildProcess} ChildProcess
 * @typedef {import("../scripts/setup/run-script.mjs").Shutdown} Shutdown
 *
 * @typedef {object} ServerPlan
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {string} url answers with 2xx when the server is ready
 * @property {number} [limitMs]
 */

const STOP_LIMIT_MS = 30_000;

/**
 * Starts a file of this folder as a process of its own that reports once which port it has opened.
 * Ends with `shutdown`.
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @param {Shutdown} shutdown
 * @returns {Promise<{ child: ChildProcess, said: Record<string, number> & { port: number } }>}
 */
export async function forkReporting(file, env, shutdown) {
  const child = forkChild(file, env, shutdown);
  /** @type {Record<string, number> & { port: number }} */
  const said = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) =>
      reject(new SetupError(`bench/${file} ended with ${code} while it started.`)),
    );
  });
  return { child, said };
}

/**
 * Starts a file of this folder as a process of its own, with a channel to it. Ends with `shutdown`.
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @param {Shutdown} shutdown
 */
export function forkChild(file, env, shutdown) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  shutdown.add(() => stop(child));
  return child;
}

/**
 * Starts a program in a process group of its own and waits until `url` answers with 2xx; its output
 * is shown when it ends before. Ends with `shutdown`.
 * @param {ServerPlan} plan
 * @param {Shutdown} shutdown
 */
export async function startServer(
  { command, args, env, cwd, url, name, limitMs = 120_000 },
  shutdown,
) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-4_000);
    });
  const end = () => stop(child, true);
  shutdown.add(end);
  for (const began = Date.now(); ; await delay(100)) {
    if (child.exitCode !== null)
      throw new SetupError(`${name} ended with ${child.exitCode} while it started.`, output);
    if (Date.now() - began > limitMs)
      throw new SetupError(`${name} does not answer at ${url}.`, output);
    const answers = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (answers) return { child, stop: end };
  }
}

/** @param {ChildProcess} child */
async function stop(child, isGroup = false) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  /** @param {NodeJS.Signals} name */
  const signal = (name) => {
    try {
      if (child.pid !== undefined) process.kill(isGroup ? -child.pid : child.pid, name);
    } catch {
      // It ended by itself.
    }
  };
  signal("SIGTERM");
  const limit = setTimeout(() => signal("SIGKILL"), STOP_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}

/**
 * Tells the process that has started this one (forkReporting) which port it has opened.
 * @param {import("node:http").Server} server
 */
export function reportPort(server) {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
}

/** Clock ticks a second, in which Linux counts processor time for its readers. */
const TICKS = 100;

/**
 * Processor seconds that the processes `roots` and all below them have used so far. Those of
 * children that have ended count for a root: a database ends a process with each connection.
 * @param {number[]} roots
 */
export function cpuSeconds(roots) {
  let ticks = 0;
  for (const pid of processTree(roots)) {
    const fields = statOf(pid);
    if (!fields) continue;
    ticks += Number(fields[11]) + Number(fields[12]);
    if (roots.includes(pid)) ticks += Number(fields[13]) + Number(fields[14]);
  }
  return ticks / TICKS;
}

/**
 * Resident memory of the processes `roots` and all below them, in MiB. Pages that they share are
 * counted for each.
 * @param {number[]} roots
 */
export function residentMiB(roots) {
  let kib = 0;
  for (const pid of processTree(roots))
    kib += Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  return Math.round(kib / 1024);
}

/** @param {number[]} roots */
function processTree(roots) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  /** @type {number[]} */
  const found = [];
  /** @param {number} pid */
  const add = (pid) => {
    found.push(pid);
    children.get(pid)?.forEach(add);
  };
  roots.forEach(add);
  return found;
}

/**
 * What follows the name in `/proc/PID/stat` (a name may hold spaces): state, parent, …; null for a
 * process that has ended.
 * @param {number} pid
 */
function statOf(pid) {
  const text = read(`/proc/${pid}/stat`);
  return text === "" ? null : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
