import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withLock } from "../setup/file-lock.mjs";
import { listDataDirLeases } from "./data-dir-leases.mjs";
import { findPostmaster, stopPostmaster } from "./postmaster.mjs";

/**
 * `node stop-orphan.mjs FOLDER CLUSTER SECONDS [remove]`, run by watch-owner.mjs: when its input
 * has ended without a word, its owner is dead. Whoever else uses the data folder has a watch of his
 * own, so this one ends as soon as it sees somebody. If nobody came within SECONDS, it stops the
 * server in good order; with `remove` (a disposable one) its files go too.
 */
const [folder = "", cluster = "", seconds = "", remove] = process.argv.slice(2);
const LOOK_MS = 1_000;
/** A server that was begun a moment before its owner died has not said yet that it is there. */
const ABSENT_LOOKS_MAX = 5;

async function main() {
  for await (const _ of process.stdin) return;
  if (await isUsedWithin(Number(seconds) * 1_000)) return;
  // Nobody can use a server whose folder is gone, and there is no lock to take.
  if (!existsSync(folder)) return stopPostmaster(cluster);
  await withFolder(async () => {
    if (!findPostmaster(cluster) || listDataDirLeases(folder).length > 0) return;
    tell(`nobody has used the database for ${seconds} s; it is stopped`);
    await stopPostmaster(cluster);
    if (remove) rmSync(dirname(cluster), { recursive: true, force: true });
  });
  if (remove && !findPostmaster(cluster)) rmSync(folder, { recursive: true, force: true });
}

/**
 * Whether somebody uses the server within that time, or it ends by itself.
 * @param {number} ms
 */
async function isUsedWithin(ms) {
  const until = performance.now() + ms;
  for (let absent = 0; existsSync(folder); ) {
    if (await withFolder(async () => listDataDirLeases(folder).length > 0)) return true;
    absent = findPostmaster(cluster) ? 0 : absent + 1;
    if (absent > ABSENT_LOOKS_MAX) return true;
    const left = until - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(left, LOOK_MS));
  }
  return false;
}

/**
 * Under the folder's lock: who is just starting there is waited for.
 * @template T
 * @param {() => Promise<T>} work
 */
function withFolder(work) {
  return withLock(join(folder, "postgres.lock"), work);
}

/** @param {string} sentence */
function tell(sentence) {
  const time = new Date().toISOString().replace("T", " ").replace("Z", " UTC");
  writeFileSync(join(folder, "postgres.log"), `${time} LATHE: ${sentence}\n`, { flag: "a" });
}

await main();
