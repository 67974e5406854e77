import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * One SHA-256 over the names and contents of all files under `paths` (files or folders below
 * `root`; absent ones count as absent).
 * `skip(relativePath)` leaves out files and folders.
 * @param {string} root
 * @param {string[]} paths
 * @param {{ skip?: (path: string) => boolean }} [options]
 */
export function hashFiles(root, paths, { skip = () => false } = {}) {
  const hash = createHash("sha256");
  /** @param {string} path */
  const visit = (path) => {
    if (skip(path)) return;
    let entry;
    try {
      entry = statSync(join(root, path));
    } catch {
      return;
    }
    if (entry.isDirectory())
      for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`);
    else if (entry.isFile()) {
      const content = readFileSync(join(root, path));
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
  };
  for (const path of paths) visit(path);
  return hash.digest("hex");
}
