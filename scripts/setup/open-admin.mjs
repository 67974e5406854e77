import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { processHooks } from "../../lib/platform/process-hooks.mjs";
import { migrate } from "../postgres/migrate.mjs";
import { hashFiles } from "./hash-files.mjs";
import { openDatabase } from "./open-database.mjs";
import { writeFileAtomically } from "./owned-files.mjs";
import { prepare } from "./prepare.mjs";
import { printTo } from "./progress.mjs";

/**
 * What lib/admin/main.ts exports: the operator's command.
 * @typedef {object} AdminModule
 * @property {(args: string[]) => Promise<number>} main
 * @property {(args: string[]) => Promise<{ output: string, code: number }>} answer
 */

/**
 * Sets up what the operator's command needs in the clone at `root`, with all progress on stderr, and loads it.
 * @param {string} root
 * @param {(close: () => Promise<void>) => void} onShutdown
 * @returns {Promise<AdminModule>}
 * @throws SetupError
 */
export async function openAdmin(root, onShutdown) {
  printTo(process.stderr);
  for (const name of /** @type {const} */ (["log", "info", "debug"])) console[name] = console.error;
  await prepare({ root, build: false });
  process.env.NODE_ENV ||= "production";
  process.env.LOG_LEVEL ||= "silent";
  const database = await openDatabase(root);
  onShutdown(() => database.stop());
  processHooks().migrate = (url) => migrate(url, { root });
  return import(pathToFileURL(await bundleAdmin(root)).href);
}

/**
 * Bundles lib/admin/main.ts for Node, when its sources changed.
 * @param {string} root
 * @returns {Promise<string>} the bundle's path
 */
async function bundleAdmin(root) {
  const target = join(root, ".cache/admin.mjs");
  const marker = `${target}.sources`;
  const sources = hashFiles(root, ["lib", "package-lock.json", "tsconfig.json", "scripts/setup/open-admin.mjs"], {
    skip: (path) => /\.test\.ts$/.test(path),
  });
  if (existsSync(target) && existsSync(marker) && readFileSync(marker, "utf8") === sources) return target;
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["lib/admin/main.ts"],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    // The marker package throws outside of a React server bundle; this runs on the server too.
    alias: { "server-only": join(root, "scripts/setup/server-only-stub.mjs"), "@": root.replace(/\/$/, "") },
    logLevel: "silent",
  });
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileAtomically(target, outputFiles[0]?.text ?? "", 0o644);
  writeFileAtomically(marker, sources, 0o644);
  return target;
}
