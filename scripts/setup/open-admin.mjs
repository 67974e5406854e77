import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { processHooks } from "../../lib/platform/process-hooks.mjs";
import { migrate } from "../postgres/migrate.mjs";
import { hashFiles } from "./hash-files.mjs";
import { openDatabase } from "./open-database.mjs";
import { writeFileAtomically } from "./owned-files.mjs";
import { requirePackages } from "./packages.mjs";
import { prepare } from "./prepare.mjs";
import { printTo } from "./progress.mjs";
import { SetupError } from "./setup-error.mjs";

const BUNDLE = ".cache/admin.mjs";

/**
 * What lib/admin/main.ts exports: the operator's command.
 * @typedef {object} AdminModule
 * @property {(args: string[]) => Promise<number>} main
 * @property {(args: string[]) => Promise<{ output: string, code: number }>} answer
 */

/**
 * Sets up what the operator's command needs in the clone at `root`, with all progress on stderr,
 * and loads it.
 * @param {string} root
 * @param {(close: () => Promise<void>) => void} onShutdown
 * @param {{ withDatabase?: boolean }} [options] without it nothing but help can be asked for
 * @returns {Promise<AdminModule>}
 * @throws SetupError
 */
export async function openAdmin(root, onShutdown, { withDatabase = true } = {}) {
  printTo(process.stderr);
  for (const name of /** @type {const} */ (["log", "info", "debug"])) console[name] = console.error;
  const wasProduction = process.env.NODE_ENV === "production";
  if (wasProduction) requirePackages(root);
  else await prepare({ root, build: false });
  process.env.NODE_ENV ||= "production";
  process.env.LOG_LEVEL ||= "silent";
  // Standard output has the command's answer and nothing else.
  if (process.env.AUDIT_LOG !== "off") process.env.AUDIT_LOG = "stderr";
  if (withDatabase) {
    const database = await openDatabase(root);
    onShutdown(() => database.stop());
  }
  processHooks().migrate = (url) => migrate(url, { root });
  return import(pathToFileURL(wasProduction ? builtAdmin(root) : await bundleAdmin(root)).href);
}

/**
 * @param {string} root
 * @throws SetupError
 */
function builtAdmin(root) {
  const path = join(root, BUNDLE);
  const marker = `${path}.sources`;
  const isOfSources = () =>
    existsSync(marker) && readFileSync(marker, "utf8") === sourcesHash(root);
  if (existsSync(path) && (!existsSync(join(root, "lib/admin")) || isOfSources())) return path;
  throw new SetupError(
    "The operator's command is not built from the sources that are here: run npm run build first.",
  );
}

/** @param {string} root */
function sourcesHash(root) {
  return hashFiles(
    root,
    ["lib", "package-lock.json", "tsconfig.json", "scripts/setup/open-admin.mjs"],
    {
      skip: (path) => /\.test\.ts$/.test(path),
    },
  );
}

/**
 * Bundles lib/admin/main.ts for Node, when its sources changed, with all packages in it but those
 * that the service itself finds in node_modules: an image holds no others.
 * @param {string} root
 * @returns {Promise<string>} the bundle's path
 */
export async function bundleAdmin(root) {
  const target = join(root, BUNDLE);
  const marker = `${target}.sources`;
  const sources = sourcesHash(root);
  if (existsSync(target) && existsSync(marker) && readFileSync(marker, "utf8") === sources)
    return target;
  const text = await bundleForNode(root, 'export * from "@/lib/admin/main";');
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileAtomically(target, text, 0o644);
  writeFileAtomically(marker, sources, 0o644);
  return target;
}

/**
 * A module with all that it imports of the service, but the packages that the service itself finds
 * in node_modules.
 * @param {string} root
 * @param {string} source
 */
export async function bundleForNode(root, source) {
  const { build } = await import("esbuild");
  // By a name that the type checker does not follow: Next's declarations change the type of
  // `process.env` for every script.
  const configFile = /** @type {string} */ ("../../next.config.mjs");
  /** @type {{ default: { serverExternalPackages: string[] } }} */
  const { default: config } = await import(configFile);
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: source, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node22",
    external: config.serverExternalPackages,
    // Packages of CommonJS inside ask for Node's own modules.
    banner: {
      js: 'import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url);',
    },
    // The marker package throws outside of a React server bundle; this runs on the server too.
    alias: {
      "server-only": join(root, "scripts/setup/server-only-stub.mjs"),
      "@": root.replace(/\/$/, ""),
    },
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
