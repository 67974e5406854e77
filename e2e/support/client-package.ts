import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

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

/**
 * Runs a program to its end. Whatever code it ends with is returned; settings of the person who
 * runs the tests do not reach it.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, input = "" }: ProgramOptions,
): Promise<Finished> {
  const { LATHE_API_KEY: _, LATHE_BASE_URL: __, ...inherited } = process.env;
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      { cwd, env: { ...inherited, ...env }, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== "number")
          return reject(new Error(`${command} ${args.join(" ")}: ${error.message}\n${stderr}`));
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
    child.stdin?.end(input);
  });
}

/** The same, of which nothing but success is expected. @throws with all that it said */
export async function runWell(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, args, options);
  if (code !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with code ${code}:\n${stdout}\n${stderr}`);
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

/**
 * A project of somebody else, outside of this repository, with the client installed from its
 * tarball and no network.
 */
export async function newProject(
  files: Record<string, string>,
  manifest: object = {},
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "lathe-project-"));
  const tarball = await packedClient();
  await writeFile(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "project", version: "1.0.0", private: true, ...manifest }),
  );
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  const npm = [
    "install",
    tarball,
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-package-lock",
  ];
  await runWell("npm", npm, { cwd: folder });
  return folder;
}

/**
 * Compiles a project's files to JavaScript beside them. @returns what the compiler has against each
 * of them, and against the package's declarations
 */
export function compile(
  folder: string,
  files: readonly string[],
  options: ts.CompilerOptions,
): { file: string; fault: string }[] {
  const program = ts.createProgram(
    files.map((file) => path.join(folder, file)),
    {
      ...options,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      strict: true,
      target: ts.ScriptTarget.ES2022,
      typeRoots: [path.join(ROOT, "node_modules/@types")],
      types: ["node"],
    },
  );
  program.emit();
  // The declarations of the language, of the DOM and of Node.js are not ours to check.
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  return ours.flatMap((source) =>
    [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      (fault) => ({
        file: path.basename(source.fileName),
        fault: ts.flattenDiagnosticMessageText(fault.messageText, "\n"),
      }),
    ),
  );
}

/** Compiles a project by its own tsconfig.json. @returns as `compile` */
export function compileProject(folder: string): { file: string; fault: string }[] {
  const { config } = ts.readConfigFile(path.join(folder, "tsconfig.json"), (file) =>
    readFileSync(file, "utf8"),
  );
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  return compile(
    folder,
    fileNames.map((file) => path.relative(folder, file)),
    options,
  );
}
