import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bringNode } from "./bring-node.mjs";

const SYSTEM = "plan9-mips";
const MACHINE = { system: SYSTEM, isMusl: false };

let root = "";
/** @type {string[]} */
let said = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bring-node-"));
  said = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A tar archive's entry. @param {string} name @param {string} content */
function entry(name, content) {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write(`${Buffer.byteLength(content).toString(8).padStart(11, "0")}\0`, 124);
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
  body.write(content);
  return Buffer.concat([head, body]);
}

/** A package as the registry gives it. @param {string} program */
function archive(program) {
  return gzipSync(
    Buffer.concat([
      entry("package/include/node/zlib.h", "x".repeat(700)),
      entry("package/bin/node", program),
      entry("package/../../escaped", "no"),
      entry("package/LICENSE", "MIT"),
      Buffer.alloc(1024),
    ]),
  );
}

const RUNS = "#!/bin/sh\necho v9.9.9\n";

/**
 * @param {{ content?: Buffer, integrity?: string, npm?: string, environment?: NodeJS.ProcessEnv,
 * machine?: typeof MACHINE }} [options]
 */
function bring({
  content = archive(RUNS),
  integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`,
  // As `npm pack NAME@VERSION --pack-destination FOLDER` does.
  npm = `const { copyFileSync, appendFileSync } = require("node:fs");
    copyFileSync("${join(root, "served")}", process.argv[4] + "/some-node-9.9.9.tgz"); \
appendFileSync("${join(root, "fetches")}", process.argv[1] + "\\n");`,
  environment = {},
  machine = MACHINE,
} = {}) {
  writeFileSync(join(root, "served"), content);
  return bringNode(root, {
    machine,
    environment: { ...process.env, NODE_ENV: "", ...environment },
    brought: { [SYSTEM]: { package: "some-node", version: "9.9.9", integrity } },
    npm: (args) => [process.execPath, ["-e", npm, ...args]],
    say: (line) => void said.push(line),
  });
}

const fetches = () => readFileSync(join(root, "fetches"), "utf8").trim().split("\n");
const kept = () =>
  existsSync(join(root, ".cache/node")) ? readdirSync(join(root, ".cache/node")) : [];

test("the package's program is fetched once, with its licence and nothing else", async () => {
  const { program, version } = await bring();
  expect([program, version]).toEqual([join(root, `.cache/node/${SYSTEM}-9.9.9/bin/node`), "9.9.9"]);
  expect(readFileSync(program, "utf8")).toBe(RUNS);
  expect(statSync(program).mode & 0o777).toBe(0o755);
  expect(readdirSync(join(program, "../..")).sort()).toEqual(["LICENSE", "bin"]);
  expect(said.join()).toContain("Fetching Node 9.9.9");
  await bring();
  await bring({ environment: { NODE_ENV: "production" } });
  expect(fetches()).toEqual(["pack"]);
  expect(kept()).toEqual([`${SYSTEM}-9.9.9`]);
});

test("two starts at once fetch it once", async () => {
  const [one, two] = await Promise.all([bring(), bring()]);
  expect(one).toEqual(two);
  expect(fetches()).toEqual(["pack"]);
});

test("a package with a wrong checksum is refused, and nothing of it stays", async () => {
  await expect(bring({ integrity: `sha512-${"A".repeat(86)}==` })).rejects.toThrow(
    /some-node@9\.9\.9 of this npm registry is not the one that the repository names/,
  );
  expect(kept()).toEqual([]);
});

test("one that does not run here is said, and is not kept", async () => {
  await expect(
    bring({ content: archive("#!/bin/sh\necho GLIBC_2.28 not found >&2\nexit 1\n") }),
  ).rejects.toMatchObject({
    message: expect.stringContaining("does not run here"),
    details: "GLIBC_2.28 not found",
  });
  expect(kept()).toEqual([]);
});

test("without a registry the sentence says which Node.js would do, and what npm said", async () => {
  await expect(
    bring({ npm: `console.error("ECONNREFUSED"); process.exit(1);` }),
  ).rejects.toMatchObject({
    message: expect.stringMatching(/needs Node 22.*could not be fetched from the npm registry/),
    details: "ECONNREFUSED",
  });
  expect(kept()).toEqual([]);
});

test("for other systems none is brought, and none in NODE_ENV=production", async () => {
  await expect(bring({ machine: { system: SYSTEM, isMusl: true } })).rejects.toThrow(
    `and for ${SYSTEM} with musl it can bring none of its own.`,
  );
  await expect(bring({ machine: { system: "sunos-x64", isMusl: false } })).rejects.toThrow(
    "and for sunos-x64 it can bring none of its own.",
  );
  await expect(bring({ environment: { NODE_ENV: "production" } })).rejects.toThrow(
    /nothing is fetched: run npm run build first/,
  );
  expect(existsSync(join(root, "fetches"))).toBe(false);
});
