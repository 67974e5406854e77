import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = ["lib/client", "clients/typescript"];

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

interface ProgramOptions {
  cwd: string;
  env?: Record<string, string | undefined>;
  input?: string;
}

/** Runs a program to its end. Whatever code it ends with is returned; settings of the person who runs the tests do not reach it. */
export function runProgram(command: string, args: readonly string[], { cwd, env, input = "" }: ProgramOptions): Promise<Finished> {
  const { LATHE_API_KEY: _, LATHE_BASE_URL: __, ...inherited } = process.env;
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { cwd, env: { ...inherited, ...env }, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") return reject(new Error(`${command} ${args.join(" ")}: ${error.message}\n${stderr}`));
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

/** The same, of which nothing but success is expected. @throws with all that it said */
export async function runWell(command: string, args: readonly string[], options: ProgramOptions): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with code ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** The package of the typed client, packed as it would be published: once for the same sources. */
export async function packedClient(): Promise<string> {
  const folder = path.join(ROOT, ".cache/clients", hashOf(SOURCES.flatMap(filesOf)));
  if (!existsSync(folder)) {
    await mkdir(path.dirname(folder), { recursive: true });
    const part = await mkdtemp(`${folder}-`);
    await runWell(process.execPath, ["clients/typescript/build.mjs", part], { cwd: ROOT });
    // Another worker may have been faster: its package is the same.
    await rename(part, folder).catch(() => rm(part, { recursive: true, force: true }));
  }
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (!tarball) throw new Error(`There is no tarball in ${folder}.`);
  return path.join(folder, tarball);
}

function filesOf(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function hashOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex").slice(0, 24);
}

/** A project of somebody else, outside of this repository, with the client installed from its tarball and no network. */
export async function newProject(files: Record<string, string>, manifest: object = {}): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "lathe-project-"));
  const tarball = await packedClient();
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "project", version: "1.0.0", private: true, ...manifest }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  const npm = ["install", tarball, "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  await runWell("npm", npm, { cwd: folder });
  return folder;
}
