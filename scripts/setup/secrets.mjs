import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../lib/platform/error-code.mjs";
import { withLock } from "./file-lock.mjs";
import { writeFileAtomically } from "./owned-files.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * @typedef {{ NEXTAUTH_SECRET: string, ENCRYPTION_KEYS: { id: string, key: string }[],
 * SIGNING_SECRET: string }} StoredSecrets
 */

/**
 * The secrets of `dataDir`, made once and kept in `secrets.json` (readable by its owner only):
 * `{ NEXTAUTH_SECRET, ENCRYPTION_KEYS, SIGNING_SECRET }`, ready for the environment. Two starts at
 * once agree on them. `ENCRYPTION_KEYS` is JSON, `[{ id, key }]`, the first being the current one.
 * Throws a SetupError.
 * @param {string} dataDir
 */
export async function loadSecrets(dataDir) {
  makeFolder(dataDir);
  const path = join(dataDir, "secrets.json");
  const stored =
    read(path) ??
    (await withLock(
      join(dataDir, "secrets.lock"),
      async () => read(path) ?? write(path, generate()),
    ));
  return { ...stored, ENCRYPTION_KEYS: JSON.stringify(stored.ENCRYPTION_KEYS) };
}

function generate() {
  return {
    NEXTAUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: [
      { id: `k${randomBytes(4).toString("hex")}`, key: randomBytes(32).toString("base64") },
    ],
    SIGNING_SECRET: randomBytes(32).toString("base64"),
  };
}

/**
 * @param {string} path
 * @returns {StoredSecrets | null}
 */
function read(path) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw new SetupError(
      `The secrets in ${path} cannot be read (${errorCode(error)}); start as the user who owns ` +
        "the data folder.",
    );
  }
  try {
    const secrets = JSON.parse(text);
    if (
      typeof secrets.NEXTAUTH_SECRET === "string" &&
      typeof secrets.SIGNING_SECRET === "string" &&
      Array.isArray(secrets.ENCRYPTION_KEYS)
    )
      return secrets;
  } catch {
    // Said below. Never replaced by fresh ones: what the old keys encrypted would be lost.
  }
  throw new SetupError(`The secrets in ${path} are damaged; restore that file from a backup.`);
}

/**
 * @param {string} path
 * @param {StoredSecrets} secrets
 */
function write(path, secrets) {
  writeFileAtomically(path, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/** @param {string} dataDir */
function makeFolder(dataDir) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new SetupError(
      `The data folder ${dataDir} cannot be made (${errorCode(error)}); set DATA_DIR to a folder ` +
        "that this user may write to.",
    );
  }
}
