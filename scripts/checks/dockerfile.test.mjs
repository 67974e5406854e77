import {
  existsSync,
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
import { expect, test } from "vitest";
import { importsOf, packagesOf } from "../setup/packages-of.mjs";
import { assembleImage, matching, readDockerfile } from "./dockerfile.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const image = readDockerfile(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
/** What only a build makes. */
const BUILT = [/^\.next\//, /^\.cache\/(?:admin|text-worker)\.mjs$/, /^node_modules\//];

/** The scripts below lib that have a process of their own. */
function spawnedScripts() {
  const sources = readdirSync(join(ROOT, "lib/runtime"), {
    recursive: true,
    encoding: "utf8",
  }).filter((path) => path.endsWith(".ts"));
  const named = sources.flatMap((path) => [
    ...readFileSync(join(ROOT, "lib/runtime", path), "utf8").matchAll(
      /script: "(lib\/[^"]+\.mjs)"/g,
    ),
  ]);
  return named.map(([, script = ""]) => script).sort();
}

/** The files of the clone that COPY lines take, by their paths there. */
function copied() {
  return image.copies.flatMap(({ sources }) =>
    sources.map((source) => source.replace(/^\/app\//, "")),
  );
}

test("every COPY of the image takes what is there, or what the build makes", () => {
  const missing = copied().filter(
    (path) => !BUILT.some((made) => made.test(path)) && matching(join(ROOT, path)).length === 0,
  );
  expect(missing).toEqual([]);
});

test("each file of ours that the image's commands import is in the image", () => {
  const files = copied().flatMap((path) => matching(join(ROOT, path)));
  const isCopied = (/** @type {string} */ path) =>
    files.some((file) => path === file || path.startsWith(`${file}/`));
  const scripts = ["scripts/start.mjs", "scripts/admin.mjs", "scripts/db-deploy.mjs"];
  const children = spawnedScripts();
  expect(children).toEqual([
    "lib/runtime/documents/child.mjs",
    "lib/runtime/makers/child.mjs",
    "lib/runtime/python/child.mjs",
    "lib/runtime/sandbox/child.mjs",
  ]);
  const { files: imported } = importsOf(ROOT, [...scripts, ...children]);
  const missing = imported.filter((path) => !isCopied(join(ROOT, path)));
  expect(imported.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test("the build adds the packages of processes started by path, with dependencies", () => {
  const build = readFileSync(join(ROOT, "scripts/setup/packages-of.mjs"), "utf8");
  for (const script of spawnedScripts()) {
    expect(build).toContain(`"${script}"`);
    // Python's is one, with two of its own.
    const least = script === "lib/runtime/python/child.mjs" ? 3 : 4;
    expect(packagesOf(ROOT, [script]).length).toBeGreaterThanOrEqual(least);
  }
  const folders = packagesOf(ROOT, ["lib/runtime/sandbox/child.mjs"]);
  expect(folders).toEqual(
    expect.arrayContaining([
      "node_modules/quickjs-emscripten",
      "node_modules/@jitl/quickjs-wasmfile-release-sync",
    ]),
  );
  // What is required is found as what is imported.
  expect(packagesOf(ROOT, ["lib/runtime/makers/child.mjs"])).toEqual(
    expect.arrayContaining([
      "node_modules/pdfmake",
      "node_modules/pptxgenjs",
      "node_modules/echarts",
    ]),
  );
});

test("the image runs in production, not as root, listens, has health and a fixed base", () => {
  expect(image.environment).toMatchObject({ NODE_ENV: "production", HOST: "0.0.0.0" });
  expect(image.user).toBe("node");
  expect(image.healthCheck.join(" ")).toContain("/api/health");
  expect(image.command).toEqual(["node", "scripts/start.mjs"]);
  for (const base of image.bases) expect(base).toMatch(/:\d+\.\d+\.\d+-/);
});

test("the build is given no data, keys or settings of the folder that it is made in", () => {
  const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
  for (const path of [".data", ".env", ".env.*", ".git", "node_modules", ".next"])
    expect(ignored).toContain(path);
  for (const path of copied())
    expect(
      ignored.filter(
        (name) =>
          path === name || (path.startsWith(`${name}/`) && !BUILT.some((made) => made.test(path))),
      ),
    ).toEqual([]);
});

test("files and folders come where COPY puts them, and an empty line is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "dockerfile-"));
  try {
    mkdirSync(join(folder, "clone/lib"), { recursive: true });
    for (const name of ["lib/a.mjs", "lib/a.ts", "LICENSE"])
      writeFileSync(join(folder, "clone", name), name);
    const text = (/** @type {string} */ copy) =>
      "FROM node:1 AS build\nRUN a \\\n  && b\nFROM node:1\nENV A=1 B=x\nWORKDIR /app\n" +
      `COPY --from=build ${copy}\nUSER node\n`;
    assembleImage(
      readDockerfile(text("/app/lib /app/LICENSE ./")),
      join(folder, "clone"),
      join(folder, "one"),
    );
    expect(existsSync(join(folder, "one/app/a.mjs"))).toBe(true);
    expect(existsSync(join(folder, "one/app/LICENSE"))).toBe(true);
    assembleImage(
      readDockerfile(text("/app/lib/*.mjs ./lib/")),
      join(folder, "clone"),
      join(folder, "two"),
    );
    expect(existsSync(join(folder, "two/app/lib/a.mjs"))).toBe(true);
    expect(existsSync(join(folder, "two/app/lib/a.ts"))).toBe(false);
    expect(() =>
      assembleImage(
        readDockerfile(text("/app/none ./")),
        join(folder, "clone"),
        join(folder, "three"),
      ),
    ).toThrow("/app/none");
    expect(readDockerfile(text("/app/lib ./"))).toMatchObject({
      environment: { A: "1", B: "x" },
      user: "node",
      bases: ["node:1", "node:1"],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
