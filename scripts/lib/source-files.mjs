import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The TypeScript files below `folders` of `root` that are the product: no tests, nothing generated. */
export function sourceFiles(root, folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/\/(generated|test)\//.test(path)),
  );
}
