import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * As root: gives `path` to the owner of its folder, so that who owns a data folder is not locked
 * out of it by one start as root.
 * @param {string} path
 */
export function chownLikeParent(path) {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid !== 0) chownSync(path, uid, gid);
}

/**
 * Writes `text` so that a reader, or a crash at any moment, finds the old file or the whole new
 * one. `mode` defaults to 0600.
 * @param {string} path
 * @param {string} text
 * @param {number} [mode]
 */
export function writeFileAtomically(path, text, mode = 0o600) {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = openSync(draft, "wx", mode);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    chownLikeParent(draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
