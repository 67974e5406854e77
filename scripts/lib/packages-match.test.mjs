import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packagesMatch } from "./packages-match.mjs";

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "packages-"));
  mkdirSync(join(root, "node_modules"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(wanted, present) {
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: wanted }));
  writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages: present }));
}

const a = { version: "1.0.0", integrity: "sha512-a" };

test("the same packages match, without those for other systems", () => {
  write({ "": {}, "node_modules/a": a, "node_modules/b": { version: "1.0.0", optional: true } }, { "node_modules/a": a });
  expect(packagesMatch(root)).toBe(true);
});

test("a missing package, another version and other content do not match", () => {
  write({ "node_modules/a": a }, {});
  expect(packagesMatch(root)).toBe(false);
  write({ "node_modules/a": a }, { "node_modules/a": { ...a, version: "1.0.1" } });
  expect(packagesMatch(root)).toBe(false);
  write({ "node_modules/a": a }, { "node_modules/a": { ...a, integrity: "sha512-b" } });
  expect(packagesMatch(root)).toBe(false);
});

test("a folder that npm never finished does not match", () => {
  rmSync(join(root, "node_modules/.package-lock.json"), { force: true });
  expect(packagesMatch(root)).toBe(false);
});
