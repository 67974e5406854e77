import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { progress } from "./progress.mjs";
import { npmCommand, runTool } from "./run-tool.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * @typedef {import("./file-lock.mjs").HeldLock} HeldLock
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean,
 * devOptional?: boolean, dev?: boolean}} LockedPackage
 */

const MARKER = "node_modules/.lathe-installed";

/**
 * Installs what package-lock.json asks for, unless it is there. Whoever has run npm themselves is
 * not undone: packages of their own beside those of the lock file stay. With NODE_ENV=production
 * nothing is installed (requirePackages).
 * @param {string} root
 * @param {HeldLock} lock
 * @param {{ environment?: NodeJS.ProcessEnv, npm?: (args: string[]) => [command: string, args:
 * string[]] }} [options]
 * @throws SetupError
 */
export async function installPackages(
  root,
  lock,
  { environment = process.env, npm = npmCommand } = {},
) {
  if (environment.NODE_ENV === "production") requirePackages(root);
  else if (!packagesMatch(root)) await install(root, lock, environment, npm);
  writeIfPossible(join(root, MARKER), system());
}

/**
 * In production: packages that only development needs may be absent. A folder without
 * package-lock.json is an image, which holds what its build put there.
 * @param {string} root
 * @throws SetupError
 */
export function requirePackages(root) {
  if (!existsSync(join(root, "package-lock.json")) || packagesMatch(root, { withDev: false }))
    return;
  throw new SetupError(
    "The installed packages are not those of package-lock.json, and with NODE_ENV=production " +
      "nothing is installed: run npm ci.",
  );
}

/**
 * @param {string} root
 * @param {HeldLock} lock
 * @param {NodeJS.ProcessEnv} environment
 * @param {typeof npmCommand} npm
 */
async function install(root, lock, environment, npm) {
  rmSync(join(root, MARKER), { force: true });
  const [command, args] = npm(["ci", "--include=dev", "--no-audit", "--no-fund"]);
  await progress("Installing packages from the npm registry", () =>
    runTool(command, args, {
      cwd: root,
      // npm reads NODE_ENV and would leave out what the build and the tests need.
      env: { ...environment, NODE_ENV: "" },
      failure: "The packages could not be installed",
      onStart: lock.alsoHeldBy,
    }),
  );
}

/**
 * Whether what npm last installed in `root` holds what package-lock.json asks for, judged by the
 * record that npm keeps in node_modules and writes when it has finished. Optional packages of other
 * systems may be absent, and there may be more.
 * @param {string} root
 * @param {{ withDev?: boolean }} [options] false: packages that only development needs may be
 * absent
 */
export function packagesMatch(root, { withDev = true } = {}) {
  const wanted = readPackages(join(root, "package-lock.json"));
  const present = readPackages(join(root, "node_modules/.package-lock.json"));
  if (!wanted || !present || isOfAnotherSystem(root)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = present[path];
    if (!found)
      return (
        entry.optional === true || entry.devOptional === true || (!withDev && entry.dev === true)
      );
    // `npm link` is somebody's own too.
    return (
      found.link === true ||
      (found.version === entry.version &&
        (!entry.integrity || !found.integrity || found.integrity === entry.integrity))
    );
  });
}

/**
 * Another system or processor needs other binaries although the lock file is the same. A folder
 * that we have not seen yet is taken for this one's.
 * @param {string} root
 */
function isOfAnotherSystem(root) {
  const seen = readIfThere(join(root, MARKER));
  return seen !== null && !seen.endsWith(system());
}

function system() {
  return `${process.platform}-${process.arch}`;
}

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage> | null}
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages ?? null;
  } catch {
    return null;
  }
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/**
 * The folder of an image may be read-only; the marker only tells systems apart.
 * @param {string} path
 * @param {string} text
 */
function writeIfPossible(path, text) {
  if (readIfThere(path) === text) return;
  try {
    writeFileSync(path, text);
  } catch {
    // Read-only.
  }
}
