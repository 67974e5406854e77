import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installPackages, packagesMatch } from "./packages.mjs";
import { printTo } from "./progress.mjs";
import { SetupError } from "./setup-error.mjs";

/** @typedef {Record<string, import("./packages.mjs").LockedPackage>} Packages */

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "packages-"));
  mkdirSync(join(root, "node_modules"));
  printTo(process.stderr);
});
afterEach(() => {
  printTo(process.stdout);
  rmSync(root, { recursive: true, force: true });
});

/**
 * @param {Packages} wanted
 * @param {Packages} present
 */
function write(wanted, present) {
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: wanted }));
  writeFileSync(
    join(root, "node_modules/.package-lock.json"),
    JSON.stringify({ packages: present }),
  );
}

const lock = { alsoHeldBy: () => {} };

/**
 * An npm that does as `npm ci` does: it wipes the folder and leaves what the lock file asks for.
 */
function install(environment = {}) {
  const program = `const fs = require("node:fs"); fs.rmSync("node_modules", { recursive: true }); \
fs.mkdirSync("node_modules");
    fs.writeFileSync("node_modules/.package-lock.json", fs.readFileSync("package-lock.json")); \
fs.writeFileSync("node_modules/wiped", "");`;
  return installPackages(root, lock, {
    environment: { ...process.env, ...environment },
    npm: () => [process.execPath, ["-e", program]],
  });
}
const wasInstalled = () => existsSync(join(root, "node_modules/wiped"));

const a = { version: "1.0.0", integrity: "sha512-a" };

test("the same packages match, without those for other systems", () => {
  write(
    { "": {}, "node_modules/a": a, "node_modules/b": { version: "1.0.0", optional: true } },
    { "node_modules/a": a },
  );
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

test("what is missing is installed, once", async () => {
  write({ "node_modules/a": a }, {});
  await install();
  expect(wasInstalled()).toBe(true);
  rmSync(join(root, "node_modules/wiped"));
  await install();
  expect(wasInstalled()).toBe(false);
});

test("a package that somebody installed survives the next start, its lock too", async () => {
  write({ "node_modules/a": a }, {});
  await install();
  const own = { version: "3.0.0", integrity: "sha512-own" };
  // `npm install --no-save own`, then `npm install own`: npm keeps its record of both.
  /** @type {Packages[]} */
  const locks = [{ "node_modules/a": a }, { "node_modules/a": a, "node_modules/own": own }];
  for (const wanted of locks) {
    write(wanted, { "node_modules/a": a, "node_modules/own": own });
    mkdirSync(join(root, "node_modules/own"), { recursive: true });
    writeFileSync(join(root, "node_modules/own/index.js"), "");
    await install();
    expect(existsSync(join(root, "node_modules/own/index.js"))).toBe(true);
  }
  write({ "node_modules/a": a }, { "node_modules/a": { link: true } });
  writeFileSync(join(root, "node_modules/linked"), "");
  await install();
  expect(existsSync(join(root, "node_modules/linked"))).toBe(true);
});

test("a folder that was installed on another system is installed anew", async () => {
  write({ "node_modules/a": a }, { "node_modules/a": a });
  writeFileSync(join(root, "node_modules/.lathe-installed"), "plan9-mips");
  await install();
  expect(wasInstalled()).toBe(true);
  expect(readFileSync(join(root, "node_modules/.lathe-installed"), "utf8")).toBe(
    `${process.platform}-${process.arch}`,
  );
});

test("in production nothing is installed, and development's needs may be absent", async () => {
  write({ "node_modules/a": a, "node_modules/d": { ...a, dev: true } }, { "node_modules/a": a });
  await install({ NODE_ENV: "production" });
  expect(wasInstalled()).toBe(false);
  write({ "node_modules/a": a }, {});
  await expect(install({ NODE_ENV: "production" })).rejects.toThrow(SetupError);
  expect(wasInstalled()).toBe(false);
});
