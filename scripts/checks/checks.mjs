import { existsSync } from "node:fs";
import { join } from "node:path";
import { print, seconds } from "../setup/progress.mjs";
import { runTool, ToolError } from "../setup/run-tool.mjs";
import { SetupError } from "../setup/setup-error.mjs";

/**
 * What `npm run check` is made of: `npm run lint`, `npm run typecheck` and the unit tests.
 * @typedef {"lint" | "typecheck"} Part
 *
 * @typedef {object} Check
 * @property {string} title
 * @property {Part} [part]
 * @property {string} [command] Node when left out
 * @property {string[]} args
 * @property {Record<string, string>} [env]
 * @property {string} [needs] the title of the check that it waits for
 */

/**
 * The checks that need no database and no browser, for `runChecks`: style, types, the import table,
 * dead code.
 * @param {string} root
 * @returns {Check[]}
 */
export function staticChecks(root) {
  /** @param {string} path */
  const tool = (path) => join(root, "node_modules", path);
  const folders = ["app", "clients", "components", "lib", "e2e"].filter((folder) =>
    existsSync(join(root, folder)),
  );
  return [
    {
      title: "Style (biome)",
      part: "lint",
      args: [tool("@biomejs/biome/bin/biome"), "check", "--error-on-warnings"],
    },
    {
      title: "Types of routes (next typegen)",
      part: "typecheck",
      args: [tool("next/dist/bin/next"), "typegen"],
      env: { NEXT_TELEMETRY_DISABLED: "1" },
    },
    {
      title: "Import table (dependency-cruiser)",
      part: "lint",
      args: [
        tool("dependency-cruiser/bin/dependency-cruiser.mjs"),
        "--config",
        ".dependency-cruiser.cjs",
        ...folders,
      ],
    },
    {
      title: "Lines are at most 100 wide",
      part: "lint",
      args: [join(root, "scripts/checks/check-line-width.mjs")],
    },
    {
      title: "No keys in files (secretlint)",
      part: "lint",
      args: [join(root, "scripts/checks/check-secrets.mjs")],
    },
    {
      title: "Migrations hold nobody up (squawk)",
      part: "lint",
      args: [join(root, "scripts/checks/check-migrations.mjs")],
    },
    {
      title: "Queries by id name their account",
      part: "lint",
      args: [join(root, "scripts/checks/check-account-queries.mjs")],
    },
    {
      title: "Patterns cost no more than a text is long (recheck)",
      part: "lint",
      args: [join(root, "scripts/checks/check-linear-patterns.mjs")],
    },
    {
      title: "Dead code (knip)",
      part: "lint",
      args: [tool("knip/bin/knip.js"), "--no-progress"],
    },
    {
      title: "Types (tsc)",
      part: "typecheck",
      needs: "Types of routes (next typegen)",
      args: [tool("typescript/bin/tsc"), "--noEmit", "-p", "tsconfig.json"],
    },
    {
      title: "Types of scripts (tsc)",
      part: "typecheck",
      args: [tool("typescript/bin/tsc"), "--noEmit", "-p", "tsconfig.scripts.json"],
    },
  ];
}

/**
 * Runs `checks` (`{ title, command, args, needs? }`) two at a time and says of each how it went;
 * one with `needs` waits for the check of that title. Returns the titles of those that failed, each
 * with its output shown.
 * @param {Check[]} checks
 * @param {{ root: string, width?: number }} options
 * @returns {Promise<string[]>}
 */
export async function runChecks(checks, { root, width = 2 }) {
  const results = new Map();
  const queue = [...checks];
  /** @type {string[]} */
  const failed = [];
  const lane = async () => {
    while (queue.length > 0) {
      const place = queue.findIndex(({ needs }) => !needs || results.has(needs));
      if (place < 0) {
        await Promise.race(running.values());
        continue;
      }
      const [check] = queue.splice(place, 1);
      if (check === undefined) return;
      const work = runOne(check, root);
      running.set(check.title, work);
      const passed = await work;
      running.delete(check.title);
      results.set(check.title, passed);
      if (!passed) failed.push(check.title);
    }
  };
  const running = new Map();
  await Promise.all(Array.from({ length: width }, lane));
  return failed;
}

/**
 * @param {Check} options
 * @param {string} root
 */
async function runOne({ title, args, command = process.execPath, env }, root) {
  const started = performance.now();
  try {
    await runTool(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      failure: `${title} failed`,
    });
    print(`  ✓ ${title} (${seconds(started)})`);
    return true;
  } catch (error) {
    const output =
      error instanceof ToolError
        ? error.output
        : error instanceof SetupError
          ? error.message
          : String(error);
    print(`  ✗ ${title} (${seconds(started)})\n${output}`);
    return false;
  }
}
