import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SetupError } from "../setup/setup-error.mjs";

/**
 * @typedef {import("./home.mjs").DatabaseHome} DatabaseHome
 * @typedef {import("./user.mjs").PostgresUser} PostgresUser
 */

/** The name of the superuser and of the database. */
export const DATABASE_NAME = "lathe";
const MAJOR_VERSION = "18";

/**
 * Makes the database cluster of `place` (from postgresHome) unless it exists. It is made in a draft
 * folder and renamed when whole, so one that was broken off half-way is begun anew. `disposable`
 * skips the flush to disk. Throws a SetupError.
 * @param {DatabaseHome} place
 * @param {string} binaries
 * @param {{ disposable?: boolean }} [options]
 */
export async function ensureCluster(place, binaries, { disposable = false } = {}) {
  removeDrafts(place.home);
  if (existsSync(place.cluster)) return requireVersion(place);
  if (place.pointer.ready)
    throw new SetupError(
      `The database at ${place.cluster} is gone; restore it, or empty the data folder to begin ` +
        "with an empty one.",
    );
  const draft = join(place.home, `draft-${randomBytes(4).toString("hex")}`);
  const passwordFile = `${draft}.password`;
  writeFileSync(passwordFile, place.pointer.password, { mode: 0o600 });
  const { uid, gid } = place.user.spawn;
  if (uid !== undefined && gid !== undefined) chownSync(passwordFile, uid, gid);
  try {
    await initialise(place.user, binaries, [
      ...["-D", draft, "-U", DATABASE_NAME, `--pwfile=${passwordFile}`],
      ...["--encoding=UTF8", "--locale=C", "--auth=scram-sha-256"],
      ...(disposable ? ["--no-sync"] : []),
    ]);
    renameSync(draft, place.cluster);
  } catch (error) {
    removeDrafts(place.home);
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
  place.save({ ready: true });
}

/**
 * @param {PostgresUser} user
 * @param {string} binaries
 * @param {string[]} args
 * @returns {Promise<void>}
 */
function initialise(user, binaries, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(join(binaries, "bin/initdb"), args, {
      ...user.spawn,
      cwd: "/",
      env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => (output += chunk));
    child.on("error", (error) =>
      reject(new SetupError("The database could not be created.", error.message)),
    );
    child.on("close", (code) =>
      code === 0
        ? resolve()
        : reject(
            new SetupError(
              "The database could not be created; what initdb said follows.",
              output.trim().split("\n").slice(-15).join("\n"),
            ),
          ),
    );
  });
}

/** @param {DatabaseHome} place */
function requireVersion(place) {
  const found = readFileSync(join(place.cluster, "PG_VERSION"), "utf8").trim();
  if (found !== MAJOR_VERSION) {
    throw new SetupError(
      `The database at ${place.cluster} is of PostgreSQL ${found}, this version of Lathe brings ` +
        `${MAJOR_VERSION}; dump and restore it, or set DATABASE_URL.`,
    );
  }
  if (!place.pointer.ready) place.save({ ready: true });
}

/** @param {string} home */
function removeDrafts(home) {
  for (const name of readdirSync(home)) {
    if (name.startsWith("draft-"))
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 });
  }
}
