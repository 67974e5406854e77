import { readFileSync } from "node:fs";

/**
 * A line of Node.js: the day of its end; the least version of it that runs the service, which has
 * the fixes of what a clone brings along (none: the line runs it no more); and the version that
 * has those of the newest security release.
 * @typedef {{ line: number, end: string, least?: string, fixed?: string }} NodeLine
 * @typedef {{ package: string, version: string, integrity: string }} BroughtNode
 * @typedef {{ read: string, sources: string[], lines: NodeLine[], fixed_on: string, shipped:
 * string, brought: Record<string, BroughtNode> }} NodeLines
 */

/**
 * Which lines of Node.js there are, from when to when, as their authors' schedule said on the day
 * `read`; what the image and CI ship; and what a clone brings along.
 * @type {NodeLines}
 */
export const NODE_LINES = JSON.parse(
  readFileSync(new URL("./node-lines.json", import.meta.url), "utf8"),
);

/**
 * Whether the service runs on this version: of a line with security fixes, and not older than the
 * line's least; or of a line that is newer than all that we know.
 * @param {string} version
 */
export function isSupportedNode(version, { lines } = NODE_LINES) {
  const [major = 0] = numbers(version);
  if (major > Math.max(...lines.map(({ line }) => line))) return true;
  const least = lines.find(({ line }) => line === major)?.least;
  return least !== undefined && compare(version, least) >= 0;
}

/** `22.23.2, 24.18.1 or 26.5.1, or newer`. */
export function supportedNodes({ lines } = NODE_LINES) {
  const least = lines.flatMap((line) => line.least ?? []);
  return `${least.slice(0, -1).join(", ")} or ${least.at(-1)}, or newer`;
}

/**
 * What an operator should know of the Node.js version that serves, as one sentence: that it lacks
 * the fixes of the newest security release, or that its line has ended.
 * @param {string} version
 * @param {Date} now
 * @returns {string | null}
 */
export function nodeWarning(version, now, { lines, fixed_on } = NODE_LINES) {
  const [major = 0] = numbers(version);
  const line = lines.find((one) => one.line === major);
  if (!line) return null;
  if (now.getTime() >= endOf(line))
    return (
      `Node ${major} has had no security fixes since ${line.end}; a newer line, or a newer ` +
      "release of Lathe, has them."
    );
  if (line.fixed === undefined || compare(version, line.fixed) >= 0) return null;
  return (
    `Node ${version} lacks the security fixes of ${fixed_on}: put Node ${line.fixed} or newer in ` +
    "front of the PATH."
  );
}

/**
 * The days for which the line of this version goes on to have security fixes; below zero after its
 * end.
 * @param {string} version
 * @param {Date} now
 * @throws Error for a line that the table does not have
 */
export function daysOfFixes(version, now, { lines } = NODE_LINES) {
  const [major = 0] = numbers(version);
  const line = lines.find((one) => one.line === major);
  if (!line) throw new Error(`The table of Node's lines has no ${major}.`);
  return Math.floor((endOf(line) - now.getTime()) / 86_400_000);
}

/** The day itself is the last with fixes. @param {NodeLine} line */
function endOf({ end }) {
  return Date.parse(`${end}T00:00:00Z`) + 86_400_000;
}

/** @param {string} version */
function numbers(version) {
  return version.split(/[.-]/).slice(0, 3).map(Number);
}

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  const others = numbers(b);
  for (const [index, number] of numbers(a).entries()) {
    const difference = number - (others[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * What this release ships whose line has no more security fixes at `now`: `the image and CI (24)`.
 * @param {Date} now
 */
export function endedNodes(now, table = NODE_LINES) {
  const shipped = [
    { what: "the image and CI", version: table.shipped },
    ...Object.entries(table.brought).map(([system, { version }]) => ({
      what: `what a clone brings along for ${system}`,
      version,
    })),
  ];
  return shipped
    .filter(({ version }) => daysOfFixes(version, now, table) < 0)
    .map(({ what, version }) => `${what} (${numbers(version)[0]})`);
}
