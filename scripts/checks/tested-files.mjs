import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { repositoryFiles } from "./repository-files.mjs";

/**
 * @typedef {Record<string, string>} Hashes of each file of the repository, by its path
 * @typedef {{ hashes: Hashes, failed: string[] }} Tested what the unit tests last ran on, and the
 * test files of which something failed then
 * @typedef {import("./count-tests.mjs").Report} Report
 */

const MEMORY = ".cache/tested-files.json";
/**
 * What any test may depend on without an import that says so: packages, settings, the generated
 * database client.
 */
const UNDER_ALL = /^(package-lock\.json|tsconfig\.json|vitest\.config\.ts|prisma\/schema\/.*)$/;
/** What a test can import. */
const MODULE = /\.(ts|tsx|mjs|cjs|json)$/;
/** Beyond it all tests are hardly slower, and a command has a longest length. */
const FILES_MAX = 400;

/**
 * All files that git knows or would take, with what they hold now.
 * @param {string} root
 * @returns {Hashes | null} null where git cannot say which they are
 */
export function hashRepository(root) {
  try {
    return Object.fromEntries(
      repositoryFiles(root).flatMap((name) => {
        try {
          return [
            [
              name,
              createHash("sha1")
                .update(readFileSync(join(root, name)))
                .digest("base64"),
            ],
          ];
        } catch {
          return []; // a link to a folder
        }
      }),
    );
  } catch {
    return null;
  }
}

/**
 * The modules whose unit tests have not been green as these files are now: what has changed since
 * they last ran, and the test files that failed then.
 * @param {Hashes | null} now
 * @param {Tested | null} before
 * @returns {string[] | null} null: every test must run
 */
export function filesToTest(now, before) {
  if (now === null || before === null) return null;
  const changed = [...new Set([...Object.keys(now), ...Object.keys(before.hashes)])].filter(
    (name) => now[name] !== before.hashes[name],
  );
  if (changed.some((name) => UNDER_ALL.test(name))) return null;
  const names = [...new Set([...changed.filter((name) => MODULE.test(name)), ...before.failed])];
  return names.length > FILES_MAX ? null : names;
}

/** @param {string} root @returns {Tested | null} null when they never ran here */
export function readTested(root) {
  try {
    return JSON.parse(readFileSync(join(root, MEMORY), "utf8"));
  } catch {
    return null;
  }
}

/**
 * Remembers what the unit tests ran on. Without a report they broke before their end, and nothing
 * is remembered.
 * @param {string} root
 * @param {Hashes | null} hashes from before they ran
 * @param {Report | null} report vitest's
 */
export function rememberTested(root, hashes, report) {
  if (hashes === null || !report?.testResults) return;
  const failed = report.testResults
    .filter(({ status }) => status !== "passed")
    .map(({ name }) => relative(root, name));
  mkdirSync(dirname(join(root, MEMORY)), { recursive: true });
  writeFileSync(join(root, MEMORY), JSON.stringify({ hashes, failed }));
}
