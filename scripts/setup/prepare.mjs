import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./file-lock.mjs";
import { hashFiles } from "./hash-files.mjs";
import { installPackages, requirePackages } from "./packages.mjs";
import { print, progress } from "./progress.mjs";
import { runTool } from "./run-tool.mjs";
import { SetupError } from "./setup-error.mjs";
import { bundleTextWorker } from "./text-worker.mjs";

/**
 * @typedef {import("./file-lock.mjs").HeldLock} HeldLock
 */

const GENERATED = "lib/storage/generated";
/** Says of which sources the build is. */
const MARKER = ".next/lathe-built";
const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "instrumentation.ts",
  "instrumentation-client.ts",
  "proxy.ts",
  "next.config.mjs",
  "next.config.ts",
  "postcss.config.mjs",
  "package.json",
  "package-lock.json",
  "prisma/schema",
];

/** What else a build is made by; none of it is in an image. */
const MADE_BY = ["tsconfig.json", "scripts/setup/compact-chunks.mjs"];

/**
 * Brings the clone at `root` to where the service can start: packages installed, database client
 * generated and, with `build`, the console built.
 * Does only what is missing or out of date. Two at once in one clone take turns. Throws a
 * SetupError with one sentence.
 * @param {{ root: string, build?: boolean }} options
 */
export async function prepare({ root, build = true }) {
  await withLock(
    join(root, ".cache/prepare.lock"),
    async (lock) => {
      await installPackages(root, lock);
      await generate(root, lock);
      await bundleTextWorker(root);
      if (build) await buildConsole(root, lock);
    },
    {
      onWait: (pid) => print(`  Process ${pid} is setting up this clone; waiting for it …`),
      timeoutMs: 1_200_000,
    },
  );
}

/**
 * For NODE_ENV=production: neither installs nor builds, and refuses a clone or an image that is not
 * built, or was built from other sources than it holds. An image that holds no sources is what it
 * was built as.
 * @param {string} root
 * @throws SetupError with the command that helps
 */
export function requireBuilt(root) {
  requirePackages(root);
  const built = readIfThere(join(root, MARKER));
  if (!existsSync(join(root, ".next/BUILD_ID")) || built === null)
    throw new SetupError(
      "There is no finished build here, and with NODE_ENV=production a start makes none: run npm " +
        "run build first.",
    );
  if (existsSync(join(root, "app")) && built.split(" ")[0] !== sourcesHash(root))
    throw new SetupError(
      "The build is older than the sources beside it, and with NODE_ENV=production a start makes " +
        "no new one: run npm run build.",
    );
}

/**
 * @param {string} root
 * @param {HeldLock} lock
 */
async function generate(root, lock) {
  if (!existsSync(join(root, "prisma/schema")))
    throw new SetupError("The folder prisma/schema is missing from this clone.");
  const wanted = hashFiles(root, [
    "prisma/schema",
    "prisma.config.ts",
    "node_modules/prisma/package.json",
  ]);
  const marker = join(root, GENERATED, ".schema-hash");
  if (readIfThere(marker) === wanted) return;
  rmSync(join(root, GENERATED), { recursive: true, force: true });
  await progress("Generating the database client", () =>
    runTool(process.execPath, [join(root, "node_modules/prisma/build/index.js"), "generate"], {
      cwd: root,
      // `generate` itself is WebAssembly, but asks for the path of a binary that it never runs and
      // would otherwise download.
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: "1",
        CHECKPOINT_DISABLE: "1",
      },
      failure: "The database client could not be generated",
      onStart: lock.alsoHeldBy,
    }),
  );
  mkdirSync(join(root, GENERATED), { recursive: true });
  writeFileSync(marker, wanted);
}

/**
 * @param {string} root
 * @param {HeldLock} lock
 */
async function buildConsole(root, lock) {
  // Not of which Node.js built it: two starts of one clone under two of them would each take away
  // what the other serves.
  const wanted = () => `${sourcesHash(root)} ${hashFiles(root, MADE_BY)}`;
  const marker = join(root, MARKER);
  if (existsSync(join(root, ".next/BUILD_ID")) && readIfThere(marker) === wanted()) return;
  rmSync(marker, { force: true });
  const before = sourcesHash(root);
  await progress("Building the console and the API", () =>
    runTool(process.execPath, [join(root, "node_modules/next/dist/bin/next"), "build"], {
      cwd: root,
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
      failure: "The console could not be built",
      onStart: lock.alsoHeldBy,
    }),
  );
  await progress("Taking out what it holds twice", () =>
    // Another process: this one may be the service's, and would keep the compiler's memory.
    runTool(process.execPath, [join(root, "scripts/setup/compact-chunks.mjs"), root], {
      cwd: root,
      failure: "The build could not be made smaller",
      onStart: lock.alsoHeldBy,
    }),
  );
  // Written only when nothing changed meanwhile; tsconfig.json is hashed afterwards, because the
  // build itself completes it.
  if (sourcesHash(root) === before) writeFileSync(marker, wanted());
}

/** @param {string} root */
export function sourcesHash(root) {
  const generated = hashFiles(root, [`${GENERATED}/.schema-hash`]);
  const sources = hashFiles(root, SOURCES, {
    /** @param {string} path */
    skip: (path) => path === GENERATED || /\.test\.tsx?$/.test(path),
  });
  return createHash("sha256")
    .update(generated + sources)
    .digest("hex");
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
