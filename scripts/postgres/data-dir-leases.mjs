import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { errorCode } from "../../lib/platform/error-code.mjs";
import { livenessOf, processIdentity } from "../../lib/platform/process-identity.mjs";
import { isYoung, keepYoung } from "../setup/liveness.mjs";
import { chownLikeParent } from "../setup/owned-files.mjs";

/**
 * @typedef {import("../../lib/platform/process-identity.mjs").ProcessIdentity & { host?: string }}
 * DataDirLease
 */

/**
 * Enters this process into the list of those that use `dataDir`; returns `leave()`. Call both under
 * the data folder's lock.
 * @param {string} dataDir
 */
export function leaseDataDir(dataDir) {
  const folder = join(dataDir, "processes");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownLikeParent(folder);
  const entry = join(folder, `${process.pid}-${randomBytes(4).toString("hex")}.json`);
  const write = () =>
    writeFileSync(entry, JSON.stringify({ ...processIdentity(), host: hostname() }), {
      mode: 0o600,
    });
  write();
  // Somebody who saw no sign of us for a while has taken us for dead: we are not.
  const stop = keepYoung(entry, write);
  return () => {
    stop();
    rmSync(entry, { force: true });
  };
}

/**
 * The living processes that use `dataDir`. Entries of the dead are cleared away. Call it under the
 * data folder's lock.
 * @param {string} dataDir
 */
export function listDataDirLeases(dataDir) {
  const folder = join(dataDir, "processes");
  return listIfThere(folder).flatMap((name) => {
    const path = join(folder, name);
    const lease = readEntry(path);
    const found = livenessOf(lease);
    if (lease && (found === "alive" || (found === "unknown" && isYoung(path)))) return [lease];
    rmSync(path, { force: true });
    return [];
  });
}

/** @param {string} folder */
function listIfThere(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * @param {string} path
 * @returns {DataDirLease | null}
 */
function readEntry(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
