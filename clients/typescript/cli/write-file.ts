import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "./command-errors";

/**
 * Puts `text` in place of the file at `path`, whole or not at all: a new file with `mode`, which
 * then takes its name. No link is followed.
 * @throws CommandError when the name is a link's, or a folder's
 */
export function replaceFile(path: string, text: string, mode = 0o644): void {
  findFile(path);
  // By a name that nobody can have laid a link under; `wx` opens no file that is there.
  const draft = join(dirname(path), `.lathe-${process.pid}-${randomBytes(6).toString("hex")}.part`);
  try {
    writeFileSync(draft, text, { mode, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * What a file holds; null when there is none. @throws CommandError when the name is a link's, or a
 * folder's
 */
export function readPlainFile(path: string): string | null {
  if (findFile(path) === null) return null;
  // Between the look and this a link may have come; where the system knows no such flag, the look
  // is all there is.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    requireFile(path, fstatSync(handle));
    return readFileSync(handle, "utf8");
  } finally {
    closeSync(handle);
  }
}

/** Whether something has this name, be it a link that leads nowhere. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function findFile(path: string): Stats | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  requireFile(path, found);
  return found;
}

function requireFile(path: string, found: Stats): void {
  if (found.isSymbolicLink())
    throw new CommandError(`${path} is a link. Links are not followed: put a file in its place.`);
  if (!found.isFile()) throw new CommandError(`${path} is no file.`);
}
