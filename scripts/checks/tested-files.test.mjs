import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesToTest, hashRepository, readTested, rememberTested } from "./tested-files.mjs";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "lathe-tested-"));
  execFileSync("git", ["init", "-q"], { cwd: root });
  for (const name of ["one.ts", "two.ts", "read.md"]) writeFileSync(join(root, name), name);
  writeFileSync(join(root, ".gitignore"), ".cache/\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** @param {string} name @param {string} status */
const ran = (name, status) => ({ name: join(root, name), status, assertionResults: [] });

test("what has changed since the tests last ran is tested, committed or not, or nothing", () => {
  rememberTested(root, hashRepository(root), { testResults: [ran("one.test.ts", "passed")] });
  const toTest = () => filesToTest(hashRepository(root), readTested(root));
  expect(toTest()).toEqual([]);
  writeFileSync(join(root, "two.ts"), "changed");
  writeFileSync(join(root, "new.ts"), "new");
  rmSync(join(root, "one.ts"));
  expect(toTest()?.sort()).toEqual(["new.ts", "one.ts", "two.ts"]);
  execFileSync("git", ["add", "--all"], { cwd: root });
  expect(toTest()?.sort()).toEqual(["new.ts", "one.ts", "two.ts"]);
  rememberTested(root, hashRepository(root), { testResults: [] });
  expect(toTest()).toEqual([]);
  writeFileSync(join(root, "read.md"), "no module");
  expect(toTest()).toEqual([]);
});

test("a test file of which something failed is tested again, though nothing has changed", () => {
  const hashes = hashRepository(root);
  rememberTested(root, hashes, {
    testResults: [ran("one.test.ts", "failed"), ran("two.test.ts", "passed")],
  });
  expect(filesToTest(hashes, readTested(root))).toEqual(["one.test.ts"]);
  rememberTested(root, hashes, null);
  expect(filesToTest(hashes, readTested(root))).toEqual(["one.test.ts"]);
});

test("every test runs when none is known to have, or packages, settings or schema changed", () => {
  const now = { "a.ts": "1", "package-lock.json": "1", "prisma/schema/run.prisma": "1" };
  expect(filesToTest(now, null)).toBeNull();
  expect(filesToTest(null, { hashes: now, failed: [] })).toBeNull();
  for (const name of [
    "package-lock.json",
    "vitest.config.ts",
    "tsconfig.json",
    "prisma/schema/run.prisma",
    "prisma/schema/new.prisma",
  ])
    expect(filesToTest({ ...now, [name]: "2" }, { hashes: now, failed: [] }), name).toBeNull();
  expect(filesToTest({ ...now, "package.json": "2" }, { hashes: now, failed: [] })).toEqual([
    "package.json",
  ]);
});
