import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { checkDatabase } from "../postgres/check-database.mjs";
import { startPostgres } from "../postgres/embedded-postgres.mjs";
import { migrate } from "../postgres/migrate.mjs";
import { embeddedServiceUrl, grantServiceRole } from "../postgres/service-role.mjs";
import { freePort } from "./free-port.mjs";
import { progress } from "./progress.mjs";
import { loadSecrets } from "./secrets.mjs";
import { SetupError } from "./setup-error.mjs";

const DEFAULT_PORT = 3000;

/**
 * Sets the process environment as the service expects it (data folder, secrets, address, database),
 * starts or joins the embedded PostgreSQL unless DATABASE_URL is set, and migrates. Returns
 * `stop()`. Variables that are set already win. Throws a SetupError.
 * @param {string} root
 * @returns {Promise<{ stop: () => Promise<void> }>}
 */
export async function openDatabase(root) {
  readEnvironmentFile(root);
  const dataDir = process.env.DATA_DIR || ".data";
  const folder = isAbsolute(dataDir) ? dataDir : join(root, dataDir);
  process.env.DATA_DIR = folder;
  await setAddress();
  const secrets = await loadSecrets(folder);
  // Keys of the environment are the operator's; those of the file may be rotated while this process
  // runs.
  if (!process.env.ENCRYPTION_KEYS) process.env.ENCRYPTION_KEYS_FILE = join(folder, "secrets.json");
  for (const [name, value] of Object.entries(secrets)) process.env[name] ||= value;
  requireKeyRing(process.env.ENCRYPTION_KEYS ?? "");
  if (process.env.DATABASE_URL) {
    await deployDatabase(process.env.DATABASE_URL, root);
    return { stop: async () => {} };
  }
  const postgres = await progress("Opening the embedded PostgreSQL", () => startPostgres(folder));
  try {
    await migrate(postgres.url, { root });
    process.env.DATABASE_URL = await embeddedServiceUrl(postgres.url);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres;
}

/**
 * `.env` of the clone, for what the environment does not set itself.
 * @param {string} root
 */
export function readEnvironmentFile(root) {
  const path = join(root, ".env");
  if (existsSync(path)) process.loadEnvFile(path);
}

/**
 * Brings the database of `DATABASE_URL` to the schema of this version: by the role of
 * `DATABASE_OWNER_URL` where that is set, which then lets the other one read and write rows.
 * Afterwards this process has forgotten the owner's address.
 * @param {string} url
 * @param {string} root
 * @throws SetupError
 */
export async function deployDatabase(url, root) {
  const owner = process.env.DATABASE_OWNER_URL;
  delete process.env.DATABASE_OWNER_URL;
  await checkDatabase(owner || url);
  await migrate(owner || url, { root });
  if (owner) await grantServiceRole(owner, url);
}

async function setAddress() {
  const port = Number(process.env.PORT || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SetupError(`PORT must be a whole number from 0 to 65535, not "${process.env.PORT}".`);
  process.env.PORT = String(port === 0 ? await freePort() : port);
  // Sign-in redirects to this address; without it next-auth would say localhost:3000, and trust no
  // other host.
  process.env.NEXTAUTH_URL ||= process.env.PUBLIC_URL || `http://localhost:${process.env.PORT}`;
}

/** @param {string} text */
function requireKeyRing(text) {
  try {
    /** @type {{ id: unknown, key: string }[]} */
    const keys = JSON.parse(text);
    if (
      keys.length > 0 &&
      keys.every(
        ({ id, key }) => typeof id === "string" && Buffer.from(key, "base64").length === 32,
      )
    )
      return;
  } catch {
    // Said below.
  }
  throw new SetupError(
    'ENCRYPTION_KEYS must be JSON like [{"id":"k1","key":"<32 bytes in base64>"}], the current ' +
      "key first.",
  );
}
