import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * What tells a process from a later one that was given the same number: `{ pid, born }`.
 * `born` is the moment of its start as the system counts it, or "" where that cannot be read (then only the number is compared).
 */
export function processIdentity(pid = process.pid) {
  return { pid, born: bornAt(pid) };
}

/** Whether the process that `identity` names still runs. A zombie does not. */
export function isAlive(identity) {
  if (!Number.isInteger(identity?.pid) || identity.pid <= 1) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if (error.code !== "EPERM") return false;
  }
  const born = bornAt(identity.pid);
  if (born === "gone") return false;
  return !identity.born || !born || identity.born === born;
}

function bornAt(pid) {
  if (process.platform === "linux") {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in parentheses may hold spaces and parentheses itself: count from the last one.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" || fields[0] === "X" ? "gone" : `${bootId()}:${fields[19]}`;
    } catch (error) {
      return error.code === "ENOENT" || error.code === "ESRCH" ? "gone" : "";
    }
  }
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}

let boot;
function bootId() {
  if (boot === undefined) {
    try {
      boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    } catch {
      boot = "";
    }
  }
  return boot;
}
