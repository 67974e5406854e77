import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
} from "node:fs";
import { connect } from "node:net";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../../lib/platform/error-code.mjs";
import { isAlive, processIdentity } from "../../lib/platform/process-identity.mjs";
import { freePort } from "../setup/free-port.mjs";
import { chownLikeParent } from "../setup/owned-files.mjs";
import { SetupError } from "../setup/setup-error.mjs";

/**
 * @typedef {import("./user.mjs").PostgresUser} PostgresUser
 * @typedef {{ pid: number, port: number, status: string }} Postmaster its status is `starting`,
 * `ready` or `stopping`
 */

const LOG_LIMIT_BYTES = 20 * 1024 * 1024;
const START_LIMIT_MS = 600_000;
const RETRY_LIMIT_MS = 20_000;
/** @type {[signal: NodeJS.Signals, limitMs: number][]} */
const STOPS = [
  ["SIGINT", 30_000],
  ["SIGQUIT", 10_000],
  ["SIGKILL", 5_000],
];
const POLL_MS = 25;

/**
 * The running server of `cluster` among the processes that we can see: `{ pid, port, status }`
 * (`starting`, `ready`, `stopping`), or null. A stale process number is null, and so is one of
 * another container: see `answersOnSocket`.
 * @param {string} cluster
 * @returns {Postmaster | null}
 */
export function findPostmaster(cluster) {
  const file = readPidFile(cluster);
  if (!file || !isAlive({ pid: file.pid, born: "" }) || !isServerOf(file.pid, cluster)) return null;
  return { pid: file.pid, port: file.port, status: file.status };
}

/**
 * Whether a server listens on the socket that the cluster's last server made. A socket in the file
 * system answers across containers of one kernel, whose process numbers we cannot see. `{ port }`,
 * or null.
 * @param {string} cluster
 * @returns {Promise<{ port: number } | null>}
 * @throws SetupError when it may not be asked
 */
export async function answersOnSocket(cluster) {
  const file = readPidFile(cluster);
  if (!file?.socketFolder) return null;
  // Beside the cluster, not where the file says: in a copied folder that would be the original's.
  const failure = await connectTo(join(dirname(cluster), `.s.PGSQL.${file.port}`));
  if (failure === null) return { port: file.port };
  if (["ENOENT", "ECONNREFUSED", "ENOTDIR"].includes(failure.code ?? "")) return null;
  throw new SetupError(
    `The database at ${cluster} cannot be asked whether it runs (${failure.code}); start as the ` +
      "user who owns the data folder.",
  );
}

/**
 * @param {string} path
 * @returns {Promise<NodeJS.ErrnoException | null>}
 */
function connectTo(path) {
  return new Promise((resolve) => {
    const socket = connect({ path }, () => {
      socket.destroy();
      resolve(null);
    });
    socket.once("error", resolve);
  });
}

/**
 * What the cluster's last server wrote about itself; null before the first one, and after an
 * orderly stop.
 * @param {string} cluster
 */
function readPidFile(cluster) {
  let lines;
  try {
    lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
  return {
    pid: Number(lines[0]),
    port: Number(lines[3]),
    socketFolder: (lines[4] ?? "").trim(),
    status: (lines[7] ?? "starting").trim(),
  };
}

/**
 * Starts the server of `cluster` in a session of its own, so that no signal to our process group
 * reaches it, and returns `{ pid, port, child }` when it accepts connections. Crash recovery is
 * waited for. `port` null: any free one. Call it under the data folder's lock. Throws a SetupError
 * with the end of the server's log.
 * @param {{ cluster: string, binaries: string, user: PostgresUser, logPath: string, port: number |
 * null, settings: string[] }} options
 */
export async function launchPostmaster({ cluster, binaries, user, logPath, port, settings }) {
  const retryUntil = Date.now() + RETRY_LIMIT_MS;
  for (;;) {
    const chosen = port ?? (await freePort());
    // PostgreSQL itself judges the file of a server before it, and nobody else removes that file. A
    // number in it that belongs to some other program of this container would make it refuse; a
    // process that is named as its grandparent it passes over, and looks for users of its memory
    // all the same.
    const stale = readPidFile(cluster)?.pid;
    const grandparent =
      stale && !findPostmaster(cluster) ? { PG_GRANDPARENT_PID: String(stale) } : {};
    const logStart = openLog(logPath);
    const child = spawn(
      join(binaries, "bin/postgres"),
      ["-D", cluster, "-p", String(chosen), ...settings.flatMap((line) => ["-c", line])],
      {
        ...user.spawn,
        cwd: "/",
        env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC", ...grandparent },
        detached: true,
        stdio: ["ignore", logStart.handle, logStart.handle],
      },
    );
    closeSync(logStart.handle);
    const exited = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
    child.unref();
    const running = await readiness(cluster, child, exited);
    if (running) return { ...running, child };
    const log = readFrom(logPath, logStart.offset);
    const transient = /shared memory block|postmaster\.pid|bind|already in use/i.test(log);
    if (!transient || Date.now() > retryUntil)
      throw new SetupError(
        "PostgreSQL did not start; the end of its log follows.",
        log.split("\n").slice(-15).join("\n"),
      );
    await delay(200);
  }
}

/**
 * Ends the server of `cluster` and waits until it is gone: at first by a fast shutdown, then, after
 * 30 s, at once (it recovers at its next start).
 * @param {string} cluster
 */
export async function stopPostmaster(cluster) {
  const running = findPostmaster(cluster);
  if (!running) return;
  const identity = processIdentity(running.pid);
  for (const [signal, limitMs] of STOPS) {
    try {
      process.kill(running.pid, signal);
    } catch (error) {
      if (errorCode(error) === "ESRCH") return;
      throw error;
    }
    const deadline = Date.now() + limitMs;
    while (Date.now() < deadline) {
      if (!isAlive(identity)) return;
      await delay(POLL_MS);
    }
  }
}

/**
 * @param {string} cluster
 * @param {import("node:child_process").ChildProcess} child
 * @param {Promise<unknown>} exited
 */
async function readiness(cluster, child, exited) {
  let ended = child.pid === undefined;
  exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    const running = findPostmaster(cluster);
    if (running?.status === "ready") return running;
    if (ended && !running) return null;
    await delay(POLL_MS);
  }
  throw new SetupError(
    "PostgreSQL has been recovering for ten minutes and is still not ready; its log is in the " +
      "data folder.",
  );
}

/**
 * @param {number} pid
 * @param {string} cluster
 */
function isServerOf(pid, cluster) {
  let command;
  try {
    command =
      process.platform === "linux"
        ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
        : execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    // It may not be looked at: take PostgreSQL's own word for it.
    return true;
  }
  return command.includes(cluster) || command.includes(realpathSync(cluster));
}

/** @param {string} path */
function openLog(path) {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, join(path, "..", `${basename(path)}.1`));
  const handle = openSync(path, "a", 0o600);
  chownLikeParent(path);
  return { handle, offset: size > LOG_LIMIT_BYTES ? 0 : size };
}

/**
 * @param {string} path
 * @param {number} offset
 */
function readFrom(path, offset) {
  const handle = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(64 * 1024);
    return buffer.toString("utf8", 0, readSync(handle, buffer, 0, buffer.length, offset)).trim();
  } finally {
    closeSync(handle);
  }
}
