import { randomBytes } from "node:crypto";
import { closeSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { errorCode } from "../../lib/platform/error-code.mjs";

const BEAT_MS = 5_000;
const SILENT_MS = 20_000;

/**
 * Keeps the JSON file at `path` young while this process lives, for those who cannot look at our
 * process number. Returns `stop()`.
 * `onGone` is called when somebody has removed the file.
 * @param {string} path
 * @param {() => void} [onGone]
 */
export function keepYoung(path, onGone = () => {}) {
  const beat = setInterval(() => {
    try {
      // Writing, unlike `utimes`, dates the file by the file system's own clock, which all its
      // users share.
      const handle = openSync(path, "r+");
      writeSync(handle, "{", 0);
      closeSync(handle);
    } catch (error) {
      if (errorCode(error) === "ENOENT") onGone();
    }
  }, BEAT_MS);
  beat.unref();
  return () => clearInterval(beat);
}

/**
 * Whether the file was touched within the last 20 s, as the file system's clock counts them.
 * @param {string} path
 */
export function isYoung(path) {
  const probe = `${path}.${randomBytes(4).toString("hex")}.now`;
  try {
    writeFileSync(probe, "", { mode: 0o600 });
    return statSync(probe).mtimeMs - statSync(path).mtimeMs < SILENT_MS;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  } finally {
    rmSync(probe, { force: true });
  }
}
