import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { processHooks } from "../lib/platform/process-hooks.mjs";
import { migrate } from "./postgres/migrate.mjs";
import { hashFiles } from "./setup/hash-files.mjs";
import { openDatabase } from "./setup/open-database.mjs";
import { writeFileAtomically } from "./setup/owned-files.mjs";
import { prepare } from "./setup/prepare.mjs";
import { printTo } from "./setup/progress.mjs";
import { shutdownOnSignals } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** `npm run -s admin -- …`: the operator's command. stdout gets one JSON object and nothing else. */
printTo(process.stderr);
for (const name of /** @type {const} */ (["log", "info", "debug"])) console[name] = console.error;

const shutdown = shutdownOnSignals();
let code = 1;
try {
  await prepare({ root: ROOT, build: false });
  process.env.NODE_ENV ||= "production";
  process.env.LOG_LEVEL ||= "silent";
  const database = await openDatabase(ROOT);
  shutdown.add(() => database.stop());
  processHooks().migrate = (url) => migrate(url, { root: ROOT });
  const { main } = await import(pathToFileURL(await bundleAdmin(ROOT)).href);
  code = await main(process.argv.slice(2));
} catch (error) {
  const isSetup = error instanceof SetupError;
  if (isSetup && error.details) console.error(error.details);
  else if (!isSetup) console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  process.stdout.write(`${JSON.stringify({ error: isSetup ? "SETUP_FAILED" : "INTERNAL_ERROR", message })}\n`);
}
await shutdown.run();
// Its connections would keep the process for another minute.
process.exitCode = code;
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit(code);

/**
 * Bundles lib/admin/main.ts of the clone at `root` for Node, when its sources changed.
 * @param {string} root
 * @returns {Promise<string>} the bundle's path
 */
async function bundleAdmin(root) {
  const target = join(root, ".cache/admin.mjs");
  const marker = `${target}.sources`;
  const sources = hashFiles(root, ["lib", "package-lock.json", "tsconfig.json", "scripts/admin.mjs"], {
    /** @param {string} path */
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
