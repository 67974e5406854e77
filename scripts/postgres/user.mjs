import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { SetupError } from "../setup/setup-error.mjs";

/**
 * @typedef {{ name: string, uid: number, gid: number }} PlainUser
 * @typedef {{ name: string, uid?: number, gid?: number, spawn: { uid?: number, gid?: number } }}
 * PostgresUser `spawn`: options for child_process
 */

/**
 * Who runs PostgreSQL, which refuses to run as root: `{ name, uid, gid, spawn }`, `spawn` being the
 * options for child_process.
 * As a plain user: that user. As root: the owner of `existing` (a cluster made earlier), else
 * `postgres`, else `nobody`, else a user made for it.
 * @param {string} [existing]
 * @returns {PostgresUser}
 */
export function postgresUser(existing) {
  if (process.getuid === undefined || process.getgid === undefined)
    return { name: userInfo().username, spawn: {} };
  if (process.getuid() !== 0)
    return { name: ownName(), uid: process.getuid(), gid: process.getgid(), spawn: {} };
  const owner = existing ? statSync(existing, { throwIfNoEntry: false }) : undefined;
  if (owner && owner.uid !== 0)
    return asUser({ name: `#${owner.uid}`, uid: owner.uid, gid: owner.gid });
  const user = findUser("postgres") ?? findUser("nobody") ?? createUser();
  return asUser(user);
}

/**
 * Whether `user` may reach `path` through all folders above it, with the access of `test -r`, `-w`
 * or `-x`.
 * @param {PostgresUser} user
 * @param {string} path
 * @param {"r" | "w" | "x"} access
 */
export function reachableBy(user, path, access) {
  if (process.platform === "win32") return true;
  return (
    spawnSync("/bin/sh", ["-c", `test -${access} "$1"`, "sh", path], {
      ...user.spawn,
      cwd: "/",
      stdio: "ignore",
    }).status === 0
  );
}

/**
 * @param {PlainUser} user
 * @returns {PostgresUser}
 */
function asUser(user) {
  return { ...user, spawn: { uid: user.uid, gid: user.gid } };
}

function ownName() {
  try {
    return userInfo().username;
  } catch {
    throw new SetupError(
      `User number ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs; ` +
        "run as a named user or set DATABASE_URL.",
    );
  }
}

/**
 * @param {string} name
 * @returns {PlainUser | null}
 */
function findUser(name) {
  /** @type {string[]} */
  let lines = [];
  try {
    lines = readFileSync("/etc/passwd", "utf8").split("\n");
  } catch {
    // Users may live in a directory service alone; `id` below asks it.
  }
  const line = lines.map((entry) => entry.split(":")).find((fields) => fields[0] === name);
  if (line) return usable({ name, uid: Number(line[2]), gid: Number(line[3]) });
  /** @param {string} flag */
  const ask = (flag) =>
    Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout?.trim() || Number.NaN);
  return usable({ name, uid: ask("-u"), gid: ask("-g") });
}

/**
 * @param {PlainUser} user
 * @returns {PlainUser | null}
 */
function usable(user) {
  return Number.isInteger(user.uid) && Number.isInteger(user.gid) && user.uid > 0 ? user : null;
}

function createUser() {
  const name = "lathe";
  /** @type {[command: string, args: string[]][]} */
  const commands = [
    ["useradd", ["--system", "--no-create-home", "--shell", "/bin/false", name]],
    ["adduser", ["-S", "-D", "-H", name]],
  ];
  for (const [command, args] of commands) {
    const known = findUser(name);
    if (known) return known;
    spawnSync(command, args, { stdio: "ignore" });
  }
  const made = findUser(name);
  if (made) return made;
  throw new SetupError(
    "PostgreSQL does not run as root, and no user could be made for it; run as a plain user or " +
      "set DATABASE_URL.",
  );
}
