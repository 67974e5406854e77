import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { assembleImage, matching, readDockerfile } from "./dockerfile.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const image = readDockerfile(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
/** What only a build makes. */
const BUILT = [/^\.next\//, /^\.cache\/admin\.mjs$/, /^node_modules\//];

/** The files of the clone that COPY lines take, by their paths there. */
function copied() {
  return image.copies.flatMap(({ sources }) => sources.map((source) => source.replace(/^\/app\//, "")));
}

test("every COPY of the image takes what is there, or what the build makes", () => {
  const missing = copied().filter((path) => !BUILT.some((made) => made.test(path)) && matching(join(ROOT, path)).length === 0);
  expect(missing).toEqual([]);
});

test("each file of ours that the image's commands import is in the image", () => {
  const files = copied().flatMap((path) => matching(join(ROOT, path)));
  const isCopied = (/** @type {string} */ path) => files.some((file) => path === file || path.startsWith(`${file}/`));
  const seen = new Set();
  /** @type {string[]} */
  const missing = [];
  /** @param {string} path */
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    if (!isCopied(path)) missing.push(relative(ROOT, path));
    for (const [, target = ""] of readFileSync(path, "utf8").matchAll(/(?:^import [^;]*?from |^import |import\()"(\.[^"]+)"/gm))
      visit(join(dirname(path), target));
  };
  const processes = ["lib/runtime/sandbox/child.mjs", "lib/runtime/documents/child.mjs"];
  for (const script of ["scripts/start.mjs", "scripts/admin.mjs", "scripts/db-deploy.mjs", ...processes]) visit(join(ROOT, script));
  expect(seen.size).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test("each package that documents are read by, and each that it needs, is in the image", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const folder = join(ROOT, "lib/runtime/documents");
  const imported = matching(join(folder, "*.mjs")).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:^import [^;]*?from |[^{.]import\()"([a-z@][^"]*)"/gm)].map(([, name = ""]) => name),
  );
  /** @type {Set<string>} */
  const needed = new Set();
  /** @param {string} name @param {string} from where it is asked for */
  const visit = (name, from) => {
    // The nearest one, as Node finds it.
    let folder = from;
    while (folder !== "" && !packages[`${folder}/node_modules/${name}`])
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")));
    const place = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (needed.has(place)) return;
    needed.add(place);
    for (const dependency of Object.keys(packages[place]?.dependencies ?? {})) visit(dependency, place);
  };
  for (const name of imported)
    if (!name.startsWith("node:"))
      visit(
        name
          .split("/")
          .slice(0, name.startsWith("@") ? 2 : 1)
          .join("/"),
        "",
      );
  const paths = copied();
  expect(
    [...needed].filter((place) => !paths.some((path) => place === path || place.startsWith(`${path}/`) || path.startsWith(`${place}/`))),
  ).toEqual([]);
  expect(needed.size).toBeGreaterThan(30);
});

test("the image runs in production as a user who is not root, listens to the network, has its health asked and is of a fixed base", () => {
  expect(image.environment).toMatchObject({ NODE_ENV: "production", HOST: "0.0.0.0" });
  expect(image.user).toBe("node");
  expect(image.healthCheck.join(" ")).toContain("/api/health");
  expect(image.command).toEqual(["node", "scripts/start.mjs"]);
  for (const base of image.bases) expect(base).toMatch(/:\d+\.\d+\.\d+-/);
});

test("the build is given no data, keys or settings of the folder that it is made in", () => {
  const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
  for (const path of [".data", ".env", ".env.*", ".git", "node_modules", ".next"]) expect(ignored).toContain(path);
  for (const path of copied())
    expect(ignored.filter((name) => path === name || (path.startsWith(`${name}/`) && !BUILT.some((made) => made.test(path))))).toEqual([]);
});

test("files and folders come where COPY puts them, and a line that takes nothing is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "dockerfile-"));
  try {
    mkdirSync(join(folder, "clone/lib"), { recursive: true });
    for (const name of ["lib/a.mjs", "lib/a.ts", "LICENSE"]) writeFileSync(join(folder, "clone", name), name);
    const text = (/** @type {string} */ copy) =>
      `FROM node:1 AS build\nRUN a \\\n  && b\nFROM node:1\nENV A=1 B=x\nWORKDIR /app\nCOPY --from=build ${copy}\nUSER node\n`;
    assembleImage(readDockerfile(text("/app/lib /app/LICENSE ./")), join(folder, "clone"), join(folder, "one"));
    expect(existsSync(join(folder, "one/app/a.mjs"))).toBe(true);
    expect(existsSync(join(folder, "one/app/LICENSE"))).toBe(true);
    assembleImage(readDockerfile(text("/app/lib/*.mjs ./lib/")), join(folder, "clone"), join(folder, "two"));
    expect(existsSync(join(folder, "two/app/lib/a.mjs"))).toBe(true);
    expect(existsSync(join(folder, "two/app/lib/a.ts"))).toBe(false);
    expect(() => assembleImage(readDockerfile(text("/app/none ./")), join(folder, "clone"), join(folder, "three"))).toThrow("/app/none");
    expect(readDockerfile(text("/app/lib ./"))).toMatchObject({
      environment: { A: "1", B: "x" },
      user: "node",
      bases: ["node:1", "node:1"],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
