import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

import { ownLikeFolder } from "./own-like-folder.mjs";

/** Writes `text` so that a reader, or a crash at any moment, finds the old file or the whole new one. `mode` defaults to 0600. */
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
    ownLikeFolder(draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
