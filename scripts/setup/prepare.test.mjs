import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requireBuilt, sourcesHash } from "./prepare.mjs";

const CLONE = fileURLToPath(new URL("../..", import.meta.url));

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "prepare-"));
  mkdirSync(join(root, "node_modules"));
  mkdirSync(join(root, "app"));
  writeFileSync(join(root, "app/page.tsx"), "export default 1;");
  installed({ "node_modules/a": { version: "1.0.0" } });
  writeFileSync(
    join(root, "package-lock.json"),
    JSON.stringify({
      packages: {
        "node_modules/a": { version: "1.0.0" },
        "node_modules/d": { version: "1.0.0", dev: true },
      },
    }),
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** @param {Record<string, { version: string }>} packages */
function installed(packages) {
  writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
}

function built() {
  mkdirSync(join(root, ".next"), { recursive: true });
  writeFileSync(join(root, ".next/BUILD_ID"), "x");
  writeFileSync(join(root, ".next/lathe-built"), `${sourcesHash(root)} tsconfig 20.0.0`);
}

test("in production a start takes a build of its sources, without development's", () => {
  built();
  expect(() => requireBuilt(root)).not.toThrow();
});

test("in production a start says what is missing and with which command it comes", () => {
  expect(() => requireBuilt(root)).toThrow(/no finished build here.*npm run build/);
  built();
  writeFileSync(join(root, "app/page.tsx"), "export default 2;");
  expect(() => requireBuilt(root)).toThrow(/older than the sources.*npm run build/);
  built();
  installed({});
  expect(() => requireBuilt(root)).toThrow(/packages are not those.*npm ci/);
});

test("an image, which holds no sources and no lock file, is what it was built as", () => {
  built();
  rmSync(join(root, "app"), { recursive: true });
  rmSync(join(root, "package-lock.json"));
  rmSync(join(root, "node_modules"), { recursive: true });
  expect(() => requireBuilt(root)).not.toThrow();
});

test("npm start and npm run db:deploy in production make no package, build or file", () => {
  for (const name of ["scripts", "lib/server", "lib/platform", "package.json"])
    cpSync(join(CLONE, name), join(root, name), { recursive: true });
  for (const script of ["scripts/start.mjs", "scripts/db-deploy.mjs"]) {
    installed(script.includes("start") ? { "node_modules/a": { version: "1.0.0" } } : {});
    const { status, stderr, stdout } = spawnSync(process.execPath, [script], {
      cwd: root,
      env: { PATH: process.env.PATH, NODE_ENV: "production" },
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr.trim()).toMatch(/^[^\n]*npm (run build|ci)[^\n]*$/);
  }
  expect(readdirSync(root).sort()).toEqual([
    "app",
    "lib",
    "node_modules",
    "package-lock.json",
    "package.json",
    "scripts",
  ]);
  expect(readdirSync(join(root, "node_modules"))).toEqual([".package-lock.json"]);
});

test("what the service's start imports is among dependencies, none of development", () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(CLONE, "package.json"), "utf8"),
  );
  const known = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies ?? {})]);
  const files = spawnSync(
    "git",
    [
      "ls-files",
      "scripts/start.mjs",
      "scripts/admin.mjs",
      "scripts/build.mjs",
      "scripts/db-deploy.mjs",
      "scripts/setup",
      "scripts/postgres",
      "lib",
      "app",
      "components",
      "instrumentation.ts",
      "prisma.config.ts",
      "postcss.config.mjs",
      "next.config.mjs",
    ],
    { cwd: CLONE, encoding: "utf8" },
  ).stdout;
  const sources = files
    .split("\n")
    .filter(
      (path) =>
        /\.(mjs|tsx?)$/.test(path) &&
        !/\.test\.|\/test\/|-test\.|test-database|\/conformance\/|find-chromium|file-store-contract/.test(
          path,
        ),
    );
  expect(sources.length).toBeGreaterThan(500);
  const wrong = sources.flatMap((path) =>
    [
      ...readFileSync(join(CLONE, path), "utf8").matchAll(
        /(?:^import (?!type)[^;]*?from |^import |import\()"((?:@[^"/]+\/)?[^"./@][^"/]*)/gm,
      ),
    ]
      .map(([, name = ""]) => name)
      .filter((name) => name in devDependencies && !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});
