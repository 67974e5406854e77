import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { processIdentity, standing } from "../../lib/platform/process-identity.mjs";
import { ownLikeFolder } from "./own-like-folder.mjs";
import { giveSignsOfLife, showsLife } from "./sign-of-life.mjs";

/** Enters this process into the list of those that use `dataDir`; returns `leave()`. Call both under the data folder's lock. */
export function enterDataDir(dataDir) {
  const folder = join(dataDir, "processes");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  ownLikeFolder(folder);
  const entry = join(folder, `${process.pid}-${randomBytes(4).toString("hex")}.json`);
  const write = () => writeFileSync(entry, JSON.stringify({ ...processIdentity(), host: hostname() }), { mode: 0o600 });
  write();
  // Somebody who saw no sign of us for a while has taken us for dead: we are not.
  const stopSigns = giveSignsOfLife(entry, write);
  return () => {
    stopSigns();
    rmSync(entry, { force: true });
  };
}

/** The living processes that use `dataDir`. Entries of the dead are cleared away. Call it under the data folder's lock. */
export function listDataDirUsers(dataDir) {
  const folder = join(dataDir, "processes");
  return listIfThere(folder).flatMap((name) => {
    const path = join(folder, name);
    const user = readEntry(path);
    const found = standing(user);
    if (found === "alive" || (found === "unknown" && showsLife(path))) return [user];
    rmSync(path, { force: true });
    return [];
  });
}

function listIfThere(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function readEntry(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
