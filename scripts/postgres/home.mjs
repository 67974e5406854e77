import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { errorCode } from "../../lib/platform/error-code.mjs";
import { writeFileAtomically } from "../setup/owned-files.mjs";
import { SetupError } from "../setup/setup-error.mjs";
import { postgresUser, reachableBy } from "./user.mjs";

/**
 * @typedef {import("./user.mjs").PostgresUser} PostgresUser
 * @typedef {object} Pointer what `postgres.json` remembers
 * @property {string} id
 * @property {string} home absolute, or below the data folder
 * @property {string} password
 * @property {boolean} ready the database was made
 * @property {number} [port] of last time
 * @property {string} [net] the network namespace of whoever started the server
 * @typedef {object} DatabaseHome
 * @property {string} home
 * @property {string} cluster
 * @property {PostgresUser} user
 * @property {() => Iterable<string>} places where a copy of the programs may lie
 * @property {Pointer} pointer
 * @property {(change: Partial<Pointer>) => void} save
 */

const POINTER = "postgres.json";
const INSIDE = "postgres";

/**
 * Where the database of `dataDir` lives and who runs it: `{ home, cluster, user, places, pointer,
 * save }`. Call it under the data folder's lock.
 * The pointer file `postgres.json` in the data folder remembers place and password, so an emptied
 * data folder means an empty database.
 * As root, a home that PostgreSQL's user cannot reach is put under /var/lib/lathe instead. Throws a
 * SetupError.
 * @param {string} dataDir
 * @returns {DatabaseHome}
 */
export function postgresHome(dataDir) {
  const folder = realpathSync(dataDir);
  const known = readPointer(folder);
  if (known) {
    requireOriginal(folder, homeOf(folder, known));
    return toPlace(folder, known, postgresUser(homeOf(folder, known)));
  }
  const user = postgresUser();
  const id = randomBytes(8).toString("hex");
  const pointer = {
    id,
    home: chooseHome(folder, user, id),
    password: randomBytes(24).toString("base64url"),
    ready: false,
  };
  writeFileAtomically(join(folder, POINTER), JSON.stringify(pointer));
  return toPlace(folder, pointer, user);
}

/**
 * The homes outside of data folders whose data folder no longer points to them: `{ home, worthless
 * }`. Nobody needs them to run.
 * `worthless` ones belonged to a temporary folder that is gone; of the others the files are kept,
 * for a data folder may only have moved.
 */
export function abandonedHomes() {
  return outerPlaces().flatMap((place) => {
    if (!existsSync(place)) return [];
    return readdirSync(place)
      .map((name) => join(place, name))
      .flatMap((home) => {
        const owner = readOwner(home);
        if (owner === null || isPointedToBy(owner, home)) return [];
        return [
          { home, worthless: owner.startsWith(`${realpathSync(tmpdir())}/`) && !existsSync(owner) },
        ];
      });
  });
}

/**
 * @param {string} folder
 * @param {string} home
 * @throws SetupError for a copy of a data folder whose database lies elsewhere: it would write into
 * the original's
 */
function requireOriginal(folder, home) {
  const owner = readOwner(home);
  if (owner === null || owner === folder || !isPointedToBy(owner, home)) return;
  throw new SetupError(
    `${folder} is a copy of ${owner} and would write into its database; copy data by "npm run -s ` +
      'admin -- backup PATH" and "restore PATH".',
  );
}

/**
 * @param {string} folder
 * @param {Pointer} pointer
 * @param {PostgresUser} user
 * @returns {DatabaseHome}
 */
function toPlace(folder, pointer, user) {
  const home = homeOf(folder, pointer);
  makeHome(home, user);
  // Whoever looks for abandoned homes reads it at any moment, and would stop a server whose owner
  // is half written.
  if (isAbsolute(pointer.home) && readOwner(home) !== folder)
    writeFileAtomically(join(home, "owner"), folder);
  return {
    home,
    cluster: join(home, "cluster"),
    user,
    *places() {
      if (user.spawn.uid === undefined) yield folder;
      // One at a time: looking at a place makes it.
      for (const place of outerPlaces()) if (isOwnPlace(place)) yield place;
    },
    pointer,
    /** @param {Partial<Pointer>} change */
    save(change) {
      Object.assign(pointer, change);
      writeFileAtomically(join(folder, POINTER), JSON.stringify(pointer));
    },
  };
}

/**
 * @param {string} folder
 * @returns {Pointer | null}
 */
function readPointer(folder) {
  const path = join(folder, POINTER);
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    if (errorCode(error) === "EACCES")
      throw new SetupError(
        `${folder} belongs to another user; start as that user or set DATA_DIR to another folder.`,
      );
    throw new SetupError(
      `${path} is damaged; restore it, or empty ${folder} to begin with an empty database.`,
    );
  }
}

/**
 * @param {string} folder
 * @param {Pointer} pointer
 */
function homeOf(folder, pointer) {
  return isAbsolute(pointer.home) ? pointer.home : join(folder, pointer.home);
}

/**
 * @param {string} folder
 * @param {PostgresUser} user
 * @param {string} id
 */
function chooseHome(folder, user, id) {
  if (user.spawn.uid === undefined) return INSIDE;
  if (!reachableBy(user, folder, "x")) allowTraversal(folder, user);
  if (reachableBy(user, folder, "x")) return INSIDE;
  const place = outerPlaces().find(
    (candidate) => isOwnPlace(candidate) && reachableBy(user, candidate, "x"),
  );
  if (place) return join(place, id);
  throw new SetupError(
    `User ${user.name}, who runs PostgreSQL, can reach neither ${folder} nor ` +
      `${outerPlaces().join(", ")}; set DATA_DIR elsewhere or set DATABASE_URL.`,
  );
}

/**
 * Lets the user's group pass through the data folder itself, not read it. Folders above are never
 * touched.
 * @param {string} folder
 * @param {PostgresUser} user
 */
function allowTraversal(folder, user) {
  const { uid, mode } = statSync(folder);
  if (uid !== 0 || user.gid === undefined) return;
  chownSync(folder, 0, user.gid);
  chmodSync(folder, (mode & 0o7707) | 0o010);
}

/**
 * @param {string} home
 * @param {PostgresUser} user
 */
function makeHome(home, user) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (user.spawn.uid !== undefined && user.spawn.gid !== undefined)
    chownSync(home, user.spawn.uid, user.spawn.gid);
}

function outerPlaces() {
  if (process.getuid?.() !== 0) return [];
  return ["/var/lib/lathe", "/var/tmp/lathe", join(tmpdir(), "lathe")];
}

/**
 * Makes the place, and refuses one that somebody else made in a folder open to all: what runs from
 * it must be ours.
 * @param {string} place
 */
function isOwnPlace(place) {
  try {
    mkdirSync(place, { recursive: true, mode: 0o755 });
    const found = lstatSync(place);
    return found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** @param {string} home */
function readOwner(home) {
  try {
    return readFileSync(join(home, "owner"), "utf8") || null;
  } catch {
    return null;
  }
}

/**
 * @param {string} folder
 * @param {string} home
 */
function isPointedToBy(folder, home) {
  try {
    return JSON.parse(readFileSync(join(folder, POINTER), "utf8")).home === home;
  } catch {
    return false;
  }
}
