import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The files that git has or would take, and that are there, each once and by its path from `root`.
 * @param {string} root
 * @param {string[]} [patterns] those of these folders or forms alone
 * @returns {string[]}
 * @throws Error where git cannot say which they are
 */
export function repositoryFiles(root, patterns = []) {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...patterns],
    { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26, stdio: ["ignore", "pipe", "ignore"] },
  );
  // While a merge has conflicts git names a file once for each side.
  return [...new Set(listed.split("\0"))].filter((file) => file && existsSync(join(root, file)));
}
