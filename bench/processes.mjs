import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks a second, in which Linux counts processor time for its readers. */
const TICKS = 100;

/**
 * Processor seconds that the processes `roots` and all below them have used so far. Those of children that have ended count for a root: a database
 * ends a process with each connection.
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
 * Resident memory of the processes `roots` and all below them, in MiB. Pages that they share are counted for each.
 * @param {number[]} roots
 */
export function residentMiB(roots) {
  let kib = 0;
  for (const pid of processTree(roots)) kib += Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
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
 * What follows the name in `/proc/PID/stat` (a name may hold spaces): state, parent, …; null for a process that has ended.
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
