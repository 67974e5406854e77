import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "./error-code.mjs";

/**
 * @typedef {object} ProcessIdentity
 * @property {number} pid
 * @property {string} born the moment of its start as the system counts it; "" where that cannot be
 * read
 * @property {{ machine: string, boot: string, pids: string }} [place] where its number means
 * anything
 */

/**
 * What tells a process from a later one that was given the same number, and from one of another
 * machine or container: `{ pid, born, place }`.
 * `born` is the moment of its start as the system counts it, or "" where that cannot be read (then
 * only the number is compared). `place` is where its number means anything:
 * `{ machine, boot, pids }`.
 * @returns {ProcessIdentity}
 */
export function processIdentity(pid = process.pid) {
  return { pid, born: bornAt(pid), place: ownPlace() };
}

/**
 * Whether the process that `identity` names still runs: `alive`, `dead`, or `unknown`. A number of
 * another container or machine says nothing here: only a socket that answers, or a file that is
 * still touched, tells whether such a process lives.
 * @param {ProcessIdentity | null | undefined} identity
 * @returns {"alive" | "dead" | "unknown"}
 */
export function livenessOf(identity) {
  const { place } = identity ?? {};
  const own = ownPlace();
  // The same machine has been started anew.
  if (place && place.boot !== own.boot) return place.machine === own.machine ? "dead" : "unknown";
  if (place && place.pids !== own.pids) return "unknown";
  return isAlive(identity) ? "alive" : "dead";
}

/**
 * Whether `identity` names a process of another machine: no socket of this one answers for it.
 * @param {ProcessIdentity} identity
 */
export function isOnOtherMachine({ place }) {
  const own = ownPlace();
  return place !== undefined && place.boot !== own.boot && place.machine !== own.machine;
}

/**
 * Whether the process of this container and machine that `identity` names still runs. A zombie does
 * not.
 * @param {Pick<ProcessIdentity, "pid" | "born"> | null | undefined} identity
 */
export function isAlive(identity) {
  if (!identity || !Number.isInteger(identity.pid) || identity.pid <= 1) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if (errorCode(error) !== "EPERM") return false;
  }
  const born = bornAt(identity.pid);
  if (born === "gone") return false;
  return !identity.born || !born || identity.born === born;
}

/** @param {number} pid */
function bornAt(pid) {
  if (process.platform === "linux") {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in parentheses may hold spaces and parentheses itself: count from the last one.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" || fields[0] === "X" ? "gone" : `${bootId()}:${fields[19]}`;
    } catch (error) {
      return errorCode(error) === "ENOENT" || errorCode(error) === "ESRCH" ? "gone" : "";
    }
  }
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "";
  }
}

/**
 * The kernel's name of a namespace of this process, such as `net:[4026531840]`; "" where there are
 * none.
 * @param {"net" | "pid"} kind
 */
export function namespaceOf(kind) {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return "";
  }
}

/** @type {ProcessIdentity["place"]} */
let place;
function ownPlace() {
  place ??= {
    machine: `${readIfThere("/etc/machine-id")}/${hostname()}`,
    boot: bootId(),
    pids: namespaceOf("pid"),
  };
  return place;
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

/** @type {string | undefined} */
let boot;
function bootId() {
  boot ??= readIfThere("/proc/sys/kernel/random/boot_id");
  return boot;
}
