import { randomBytes } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../../lib/platform/error-code.mjs";
import { livenessOf, processIdentity } from "../../lib/platform/process-identity.mjs";
import { isYoung, keepYoung } from "./liveness.mjs";
import { writeFileAtomically } from "./owned-files.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * @typedef {import("../../lib/platform/process-identity.mjs").ProcessIdentity} ProcessIdentity
 * @typedef {{ token: string, holders: ProcessIdentity[] }} Lock the content of a lock file
 * @typedef {{ alsoHeldBy(pid: number): void }} HeldLock
 */

const POLL_MS = 50;
// A takeover lasts microseconds; one that is older was left by a killed process.
const TAKEOVER_STALE_MS = 5_000;

/**
 * Runs `work` while this process alone holds the lock file at `path`; a lock whose holders have all
 * died is taken over. A holder in another container or on another machine, whose number says
 * nothing here, counts as alive while it touches the file. `work` receives `alsoHeldBy(pid)`, for a
 * child that must end before anybody else may begin, even when this process is killed. Throws a
 * SetupError after `timeoutMs`; `onWait` is called once when another process holds the lock.
 * @template T
 * @param {string} path
 * @param {(lock: HeldLock) => Promise<T>} work
 * @param {{ timeoutMs?: number, onWait?: (pid: number | undefined) => void }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(path, work, { timeoutMs = 600_000, onWait } = {}) {
  mkdirSync(dirname(path), { recursive: true });
  const lock = { token: randomBytes(8).toString("hex"), holders: [processIdentity()] };
  const deadline = Date.now() + timeoutMs;
  let told = false;
  while (!tryCreate(path, lock)) {
    const held = readLock(path);
    if (held && !isHeld(path, held) && removeStale(path)) continue;
    if (held && !told) {
      told = true;
      onWait?.(held.holders[0]?.pid);
    }
    if (Date.now() > deadline)
      throw new SetupError(
        `Process ${held?.holders[0]?.pid ?? "?"} has held ${path} for too long; end it and try ` +
          "again.",
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const stopSigns = keepYoung(path);
  try {
    return await work({
      /** @param {number} pid */
      alsoHeldBy(pid) {
        lock.holders.push(processIdentity(pid));
        writeFileAtomically(path, JSON.stringify(lock));
      },
    });
  } finally {
    stopSigns();
    if (readLock(path)?.token === lock.token) rmSync(path, { force: true });
  }
}

/**
 * @param {string} path
 * @param {Lock} options
 */
function isHeld(path, { holders }) {
  const standings = holders.map(livenessOf);
  return standings.includes("alive") || (standings.includes("unknown") && isYoung(path));
}

/**
 * Creates the lock with its content in one act (a link to a finished file), so that nobody ever
 * reads half of it.
 * @param {string} path
 * @param {Lock} lock
 */
function tryCreate(path, lock) {
  const draft = `${path}.${lock.token}`;
  writeFileSync(draft, JSON.stringify(lock), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errorCode(error))) throw error;
    return createWithoutLinks(path, lock);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * For file systems without hard links; a reader may then meet half a file, which `readLock` takes
 * for held while it is fresh.
 * @param {string} path
 * @param {Lock} lock
 */
function createWithoutLinks(path, lock) {
  try {
    writeFileSync(path, JSON.stringify(lock), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * @param {string} path
 * @returns {Lock | null}
 */
function readLock(path) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const lock = JSON.parse(text);
    if (Array.isArray(lock.holders)) return lock;
  } catch {
    // Not JSON: half written, or damaged.
  }
  return { token: "", holders: ageMs(path) > TAKEOVER_STALE_MS ? [] : [processIdentity()] };
}

/**
 * Removes a dead process's lock. A second file makes look-and-remove one act; without it two could
 * each remove the other's fresh lock.
 * @param {string} path
 */
function removeStale(path) {
  const takeover = `${path}.takeover`;
  try {
    writeFileSync(takeover, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (ageMs(takeover) > TAKEOVER_STALE_MS) rmSync(takeover, { force: true });
    return false;
  }
  try {
    const held = readLock(path);
    if (held && !isHeld(path, held)) unlinkSync(path);
    return true;
  } finally {
    rmSync(takeover, { force: true });
  }
}

/** @param {string} path */
function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
