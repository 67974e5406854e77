import "../../scripts/setup/on-supported-node.mjs";

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCE = join(ROOT, "lib/client");
const ENTRY = join(SOURCE, "lathe-client.ts");
/** For pages: ES modules alone, as every bundler and browser takes them. */
const BROWSER = join(SOURCE, "browser.ts");
const REACT = join(SOURCE, "react.ts");
const CLI = join(ROOT, "clients/typescript/cli/main.ts");
/** What the bundles hold of others, with their licences; the types of the first two go along. */
const TYPED_PACKAGES = ["openapi-fetch", "openapi-typescript-helpers"];
const BUNDLED_PACKAGES = [...TYPED_PACKAGES, "yaml"];
const MODULE_TYPES = /** @type {const} */ ({ esm: "module", cjs: "commonjs" });

/**
 * `npm run client:pack [-- FOLDER]`: makes the package of `lib/client` and the command `lathe` in a
 * folder of its own, as it would be published (ESM, CommonJS, types of both, no dependency), and
 * packs it. Prints the tarball's path.
 */
const target = process.argv[2] ?? join(ROOT, ".cache/clients");
const folder = join(target, "package");
rmSync(folder, { recursive: true, force: true });
for (const file of ["package.json", "README.md"])
  copy(join(ROOT, "clients/typescript", file), join(folder, file));
copy(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
writeFileSync(join(folder, "THIRD-PARTY.md"), licences());
await Promise.all([bundle("esm"), bundle("cjs"), bundleForPages(), bundleCommand()]);
writeDeclarations();
const packed = execFileSync(
  "npm",
  ["pack", "--json", "--ignore-scripts", "--pack-destination", target],
  { cwd: folder, encoding: "utf8" },
);
const [{ filename }] = JSON.parse(packed);
process.stdout.write(`${join(target, filename)}\n`);

/** @param {"esm" | "cjs"} format */
async function bundle(format) {
  const outfile = join(folder, "dist", format, "lathe-client.js");
  await build({
    entryPoints: [ENTRY],
    bundle: true,
    format,
    outfile,
    platform: "neutral",
    target: "es2022",
    logLevel: "warning",
  });
  // Says to Node.js and to TypeScript what the files beside it are, whatever the package as a whole
  // is.
  writeFileSync(
    join(folder, "dist", format, "package.json"),
    `{ "type": "${MODULE_TYPES[format]}" }\n`,
  );
}

/**
 * The hooks share the browser's module, which stays a file of its own, and take React from the
 * page.
 */
async function bundleForPages() {
  const esm = join(folder, "dist/esm");
  const settings = /** @type {const} */ ({
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    logLevel: "warning",
  });
  await build({
    ...settings,
    entryPoints: [BROWSER],
    minify: true,
    outfile: join(esm, "browser.js"),
  });
  await build({
    ...settings,
    entryPoints: [REACT],
    external: ["react"],
    plugins: [besideItself("browser")],
    outfile: join(esm, "react.js"),
  });
}

/**
 * Leaves a module of the folder a file beside the bundle. @param {string} name
 * @returns {import("esbuild").Plugin}
 */
function besideItself(name) {
  return {
    name: "beside-itself",
    setup(made) {
      made.onResolve({ filter: new RegExp(`^\\./${name}$`) }, () => ({
        path: `./${name}.js`,
        external: true,
      }));
    },
  };
}

async function bundleCommand() {
  const outfile = join(folder, "dist/lathe.js");
  // The command is made of the same sources, not of the built package: one build is enough for
  // both.
  await build({
    entryPoints: [CLI],
    bundle: true,
    format: "esm",
    outfile,
    platform: "node",
    target: "node20",
    banner: {
      js:
        "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\n" +
        "const require = createRequire(import.meta.url);",
    },
    logLevel: "warning",
  });
  chmodSync(outfile, 0o755);
}

function writeDeclarations() {
  /** @type {import("typescript").CompilerOptions} */
  const options = {
    declaration: true,
    emitDeclarationOnly: true,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    outDir: SOURCE,
    rootDir: SOURCE,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  const program = ts.createProgram([ENTRY, BROWSER, REACT], options);
  const faults = ts.getPreEmitDiagnostics(program);
  if (faults.length > 0) throw new Error(ts.formatDiagnostics(faults, host()));
  program.emit(undefined, (path, text) => writeBoth(relative(SOURCE, path), text));
  for (const name of TYPED_PACKAGES) writeBoth(`${name}.d.ts`, readFileSync(typesOf(name), "utf8"));
}

/**
 * Under `nodenext` an import names a file with its ending, and each kind of module has types of its
 * own kind. @param {string} path @param {string} text
 */
function writeBoth(path, text) {
  const named = text
    .replace(/(from\s+|import\()(["'])(\.\/[^"']+?)(?:\.(?:d\.ts|js|mjs))?\2/g, "$1$2$3.js$2")
    .replace(
      /(from\s+|import\()(["'])(openapi-fetch|openapi-typescript-helpers)\2/g,
      "$1$2./$3.js$2",
    );
  for (const format of Object.keys(MODULE_TYPES)) {
    const file = join(folder, "dist", format, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, named);
  }
}

/** @param {string} name */
function typesOf(name) {
  const inside = name === "openapi-fetch" ? "dist/index.d.mts" : "dist/index.d.ts";
  return join(ROOT, "node_modules", name, inside);
}

function licences() {
  const parts = BUNDLED_PACKAGES.map((name) => {
    const at = join(ROOT, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
    return `## ${name} ${version}\n\n${readFileSync(join(at, "LICENSE"), "utf8").trim()}\n`;
  });
  return `# What this package holds of others\n\n${parts.join("\n")}`;
}

/** @param {string} from @param {string} to */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function host() {
  return {
    getCurrentDirectory: () => ROOT,
    getCanonicalFileName: (/** @type {string} */ name) => name,
    getNewLine: () => "\n",
  };
}
