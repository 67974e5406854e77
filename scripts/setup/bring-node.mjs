import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { withLock } from "./file-lock.mjs";
import { NODE_LINES, supportedNodes } from "./node-lines.mjs";
import { npmCommand, runTool, ToolError } from "./run-tool.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * @typedef {import("./node-lines.mjs").BroughtNode} BroughtNode
 * @typedef {object} Machine
 * @property {string} system `linux-x64`
 * @property {boolean} isMusl its C library is musl: what the registry has wants glibc
 */

/** Of a package for one system: the program and its licence, about 120 MB. */
const UNPACKED_MAX_BYTES = 600_000_000;
const FILES = new Map([
  ["package/bin/node", 0o755],
  ["package/LICENSE", 0o644],
]);

/**
 * The Node.js that this clone brings along for this machine, as the path of its program: fetched
 * once from the npm registry, by the npm that is there, and kept in `.cache/node`. What came must
 * have the checksum that the repository holds. Two starts at once take turns.
 * @param {string} root
 * @param {{ machine?: Machine, environment?: NodeJS.ProcessEnv, npm?: typeof npmCommand, brought?:
 * Record<string, BroughtNode>, say?: (line: string) => void }} [options]
 * @returns {Promise<{ program: string, version: string }>}
 * @throws SetupError with one sentence: no Node.js for this system, none to be fetched, or another
 *   one than the repository names
 */
export async function bringNode(
  root,
  {
    machine = thisMachine(),
    environment = process.env,
    npm = npmCommand,
    brought = NODE_LINES.brought,
    say = (line) => void process.stderr.write(`${line}\n`),
  } = {},
) {
  const needs = `Lathe needs Node ${supportedNodes()}; this is ${process.versions.node}`;
  const wanted = machine.isMusl ? undefined : brought[machine.system];
  if (!wanted)
    throw new SetupError(
      `${needs}, and for ${machine.system}${machine.isMusl ? " with musl" : ""} it can bring ` +
        "none of its own.",
    );
  const { version } = wanted;
  const folder = join(root, ".cache/node", `${machine.system}-${version}`);
  const program = join(folder, "bin/node");
  if (existsSync(program)) return { program, version };
  if (environment.NODE_ENV === "production")
    throw new SetupError(
      `${needs}, and with NODE_ENV=production nothing is fetched: run npm run build first, which ` +
        `brings Node ${version} along.`,
    );
  await withLock(
    join(root, ".cache/node.lock"),
    async (lock) => {
      if (existsSync(program)) return;
      say(`  Fetching Node ${version} from the npm registry …`);
      mkdirSync(dirname(folder), { recursive: true });
      const draft = mkdtempSync(`${folder}.`);
      try {
        const file = await fetchPackage(wanted, draft, { environment, npm, needs, lock });
        unpack(readVerified(file, wanted), join(draft, "node"));
        requireRunnable(join(draft, "node/bin/node"), needs);
        renameSync(join(draft, "node"), folder);
      } finally {
        rmSync(draft, { recursive: true, force: true });
      }
    },
    {
      onWait: (pid) => say(`  Process ${pid} is fetching Node ${version}; waiting for it …`),
      timeoutMs: 1_200_000,
    },
  );
  return { program, version };
}

/** @returns {Machine} */
function thisMachine() {
  // Without it, the report looks up the names of the machine's addresses.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (
    process.report.getReport()
  );
  return {
    system: `${process.platform}-${process.arch}`,
    isMusl: process.platform === "linux" && header.glibcVersionRuntime === undefined,
  };
}

/**
 * @param {BroughtNode} wanted
 * @param {string} folder
 * @param {{ environment: NodeJS.ProcessEnv, npm: typeof npmCommand, needs: string, lock:
 * import("./file-lock.mjs").HeldLock }} options
 */
async function fetchPackage({ package: name, version }, folder, options) {
  const { environment, npm, needs, lock } = options;
  const [command, args] = npm(
    ["pack", `${name}@${version}`, "--pack-destination", folder, "--loglevel=error"],
    environment,
  );
  try {
    await runTool(command, args, {
      cwd: folder,
      env: environment,
      failure: "",
      onStart: lock.alsoHeldBy,
    });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    const why = error instanceof ToolError ? error.details : error.message;
    throw new SetupError(
      `${needs}, and Node ${version} could not be fetched from the npm registry. Put one of ` +
        "these in front of the PATH.",
      why,
    );
  }
  return join(folder, `${name}-${version}.tgz`);
}

/**
 * @param {string} file
 * @param {BroughtNode} wanted
 */
function readVerified(file, { package: name, version, integrity }) {
  const content = readFileSync(file);
  const found = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  if (found !== integrity)
    throw new SetupError(
      `${name}@${version} of this npm registry is not the one that the repository names ` +
        `(${found}, not ${integrity}); it was thrown away.`,
    );
  return content;
}

/**
 * Writes the files that are wanted of a package (a gzipped tar archive, verified) below `folder`.
 * @param {Buffer} archive
 * @param {string} folder
 */
function unpack(archive, folder) {
  const tar = gunzipSync(archive, { maxOutputLength: UNPACKED_MAX_BYTES });
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const name = tar.toString("latin1", at, tar.indexOf(0, at));
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 136), 8);
    const mode = FILES.get(name);
    if (mode !== undefined) {
      const target = join(folder, name.slice("package/".length));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, tar.subarray(at + 512, at + 512 + size), { mode, flush: true });
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

/**
 * A C library that is too old, a folder whose files may not be run: told before anything waits for
 * it.
 * @param {string} program
 * @param {string} needs
 */
function requireRunnable(program, needs) {
  const { status, error, stderr } = spawnSync(program, ["--version"], { encoding: "utf8" });
  if (status === 0) return;
  throw new SetupError(
    `${needs}, and the one that this clone brings along does not run here.`,
    stderr?.trim() || String(error?.message ?? ""),
  );
}
