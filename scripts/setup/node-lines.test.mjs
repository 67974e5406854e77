import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readDockerfile } from "../checks/dockerfile.mjs";
import {
  daysOfFixes,
  endedNodes,
  isSupportedNode,
  NODE_LINES,
  nodeWarning,
  supportedNodes,
} from "./node-lines.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WITHIN = new Date("2026-11-25T12:00:00Z");
const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), "utf8");

test("a line with fixes runs the service from its least version, newer too; ended not", () => {
  const verdicts = Object.fromEntries(
    ["18.20.8", "20.19.0", "20.20.2", "22.23.1", "22.23.2", "23.11.0", "24.18.0"]
      .concat(["24.18.1", "24.22.2", "25.9.0", "26.5.0", "26.10.0", "27.0.0-nightly2026", "28.1.0"])
      .map((version) => [version, isSupportedNode(version)]),
  );
  expect(verdicts).toEqual({
    "18.20.8": false,
    "20.19.0": false,
    "20.20.2": false,
    "22.23.1": false,
    "22.23.2": true,
    "23.11.0": false,
    "24.18.0": false,
    "24.18.1": true,
    "24.22.2": true,
    "25.9.0": false,
    "26.5.0": false,
    "26.10.0": true,
    "27.0.0-nightly2026": true,
    "28.1.0": true,
  });
  expect(supportedNodes()).toBe("22.23.2, 24.18.1 or 26.5.1, or newer");
});

test("what a clone brings along is one the service runs on, known, with a checksum", () => {
  expect(Object.keys(NODE_LINES.brought)).toEqual(
    expect.arrayContaining(["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"]),
  );
  for (const { version, integrity } of Object.values(NODE_LINES.brought)) {
    expect(isSupportedNode(version)).toBe(true);
    expect(daysOfFixes(version, WITHIN)).toBeGreaterThan(0);
    expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
  }
  expect(isSupportedNode(process.versions.node)).toBe(true);
});

test("the image and CI have one version, and the newest known fixes of its line", () => {
  const workflows = readdirSync(join(ROOT, ".github/workflows")).map((name) =>
    read(`.github/workflows/${name}`),
  );
  const named = workflows.flatMap((text) =>
    [...text.matchAll(/^\s*node-version: (\S+)$/gm)].map(([, version]) => version),
  );
  expect(named.length).toBeGreaterThan(2);
  expect(new Set(named.filter((version) => !version?.includes("matrix")))).toEqual(
    new Set([NODE_LINES.shipped]),
  );
  expect(parse(read(".gitlab-ci.yml")).test.image).toBe(`node:${NODE_LINES.shipped}-bookworm`);
  for (const base of readDockerfile(read("Dockerfile")).bases)
    expect(base).toContain(`node:${NODE_LINES.shipped}-`);
  expect(nodeWarning(NODE_LINES.shipped, WITHIN)).toBeNull();
});

test("what is shipped has security fixes today, and fails here after its line's end", () => {
  expect(endedNodes(new Date("2028-04-30T23:00:00Z"))).toEqual([]);
  expect(endedNodes(new Date("2028-05-01T01:00:00Z"))).toEqual([
    "the image and CI (24)",
    "what a clone brings along for linux-x64 (24)",
    "what a clone brings along for linux-arm64 (24)",
  ]);
  expect(endedNodes(new Date())).toEqual([]);
});

test("CI warns of an end ninety days before it", () => {
  const warnings = (/** @type {string} */ day) =>
    execFileSync(process.execPath, ["scripts/checks/warn-node-lines.mjs", day], {
      cwd: ROOT,
      encoding: "utf8",
    });
  expect(warnings("2028-02-01")).toBe("");
  expect(warnings("2028-02-02")).toMatch(/^::warning [^\n]*Node 24[^\n]* 89 more days\.\n$/);
});

test("the days to a line's end are counted to its last day, and an unknown line is said", () => {
  expect(daysOfFixes("24.22.2", new Date("2028-04-30T12:00:00Z"))).toBe(0);
  expect(daysOfFixes("24.22.2", new Date("2028-01-31T12:00:00Z"))).toBe(90);
  expect(daysOfFixes("24.22.2", new Date("2028-05-01T12:00:00Z"))).toBe(-1);
  expect(() => daysOfFixes("21.0.0", WITHIN)).toThrow("no 21");
});

test("an operator is told of missing fixes and an ended line in words, no more", () => {
  expect(nodeWarning("24.21.0", WITHIN)).toMatch(
    /lacks the security fixes of 2026-10-21.*24\.22\.1/,
  );
  expect(nodeWarning("24.22.1", WITHIN)).toBeNull();
  expect(nodeWarning("28.0.0", WITHIN)).toBeNull();
  expect(nodeWarning("22.23.4", new Date("2027-05-01T00:00:01Z"))).toMatch(/Node 22.*2027-04-30/);
});

test("every command goes on with a supported Node.js before it does anything", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const commands = Object.values(/** @type {Record<string, string>} */ (scripts)).map(
    (command) => /^node (\S+\.mjs)/.exec(command)?.[1] ?? command,
  );
  expect(commands.length).toBeGreaterThan(20);
  for (const path of new Set(commands))
    expect(read(path), path).toMatch(
      /^import "(\.\.?\/)+(scripts\/)?setup\/on-supported-node\.mjs";\n/,
    );
});
