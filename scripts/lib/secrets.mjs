import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "./setup-error.mjs";
import { withLock } from "./with-lock.mjs";
import { writeFileAtomically } from "./write-file-atomically.mjs";

/**
 * The secrets of `dataDir`, made once and kept in `secrets.json` (readable by its owner only):
 * `{ NEXTAUTH_SECRET, ENCRYPTION_KEYS, SIGNING_SECRET }`, ready for the environment. Two starts at once agree on them.
 * `ENCRYPTION_KEYS` is JSON, `[{ id, key }]`, the first being the current one. Throws a SetupError.
 */
export async function loadSecrets(dataDir) {
  makeFolder(dataDir);
  const path = join(dataDir, "secrets.json");
  const stored = read(path) ?? (await withLock(join(dataDir, "secrets.lock"), async () => read(path) ?? write(path, generate())));
  return { ...stored, ENCRYPTION_KEYS: JSON.stringify(stored.ENCRYPTION_KEYS) };
}

function generate() {
  return {
    NEXTAUTH_SECRET: randomBytes(32).toString("base64"),
    ENCRYPTION_KEYS: [{ id: `k${randomBytes(4).toString("hex")}`, key: randomBytes(32).toString("base64") }],
    SIGNING_SECRET: randomBytes(32).toString("base64"),
  };
}

function read(path) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw new SetupError(`The secrets in ${path} cannot be read (${error.code}); start as the user who owns the data folder.`);
  }
  try {
    const secrets = JSON.parse(text);
    if (typeof secrets.NEXTAUTH_SECRET === "string" && typeof secrets.SIGNING_SECRET === "string" && Array.isArray(secrets.ENCRYPTION_KEYS))
      return secrets;
  } catch {
    // Said below. Never replaced by fresh ones: what the old keys encrypted would be lost.
  }
  throw new SetupError(`The secrets in ${path} are damaged; restore that file from a backup.`);
}

function write(path, secrets) {
  writeFileAtomically(path, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

function makeFolder(dataDir) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new SetupError(
      `The data folder ${dataDir} cannot be made (${error.code}); set DATA_DIR to a folder that this user may write to.`,
    );
  }
}
