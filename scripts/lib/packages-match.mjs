import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Whether what npm last installed in `root` is what package-lock.json asks for, judged by the record that npm keeps in node_modules
 * and writes when it has finished. Optional packages of other systems may be absent.
 */
export function packagesMatch(root) {
  const wanted = readPackages(join(root, "package-lock.json"));
  const present = readPackages(join(root, "node_modules/.package-lock.json"));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = present[path];
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && (!entry.integrity || !found.integrity || found.integrity === entry.integrity);
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages ?? null;
  } catch {
    return null;
  }
}
