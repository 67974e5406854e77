import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownLikeFolder } from "./own-like-folder.mjs";
import { isAlive, processIdentity } from "./process-identity.mjs";

/** Enters this process into the list of those that use `dataDir`; returns `leave()`. Call both under the data folder's lock. */
export function enterDataDir(dataDir) {
  const folder = join(dataDir, "processes");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  ownLikeFolder(folder);
  const entry = join(folder, `${process.pid}-${randomBytes(4).toString("hex")}.json`);
  writeFileSync(entry, JSON.stringify(processIdentity()), { mode: 0o600 });
  return () => rmSync(entry, { force: true });
}

/** How many living processes use `dataDir`. Entries of the dead are cleared away. Call it under the data folder's lock. */
export function countDataDirUsers(dataDir) {
  const folder = join(dataDir, "processes");
  let count = 0;
  for (const name of listIfThere(folder)) {
    if (isAlive(readEntry(join(folder, name)))) count++;
    else rmSync(join(folder, name), { force: true });
  }
  return count;
}

function listIfThere(folder) {
  try {
    return readdirSync(folder);
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
