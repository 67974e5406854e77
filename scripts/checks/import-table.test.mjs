import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A tree with every violation at once: each look at a tree is a process of seconds. */
const FILES = {
  "tsconfig.json":
    '{"compilerOptions":{"module":"esnext","moduleResolution":"bundler","paths":{"@/*":["./*"]}}}',
  "lib/model/status.ts": "export type Status = 'open';\n",
  "lib/domain/read.ts":
    'import type { Status } from "@/lib/model/status";\n' +
    'export const read = (): Status => "open";\n',
  "lib/model/upwards.ts":
    'import type { read } from "@/lib/domain/read";\nexport type Read = typeof read;\n',
  "lib/storage/save.ts": "export const save = 1;\n",
  "lib/engine/sideways.ts":
    'import { save } from "../storage/save";\nexport const twice = save * 2;\n',
  "lib/engine/embedded/inside.ts": "export const inside = 1;\n",
  "lib/engine/good.ts":
    'import { inside } from "./embedded/inside";\nexport const mine = inside;\n',
  "lib/jobs/good.ts":
    'import { inside } from "../engine/embedded/inside";\nexport const mine = inside;\n',
  "lib/domain/inward.ts":
    'import { inside } from "../engine/embedded/inside";\nexport const mine = inside;\n',
  "lib/api/answer.ts": "export const answer = 1;\n",
  "lib/server/good.ts": 'import { answer } from "../api/answer";\nexport const served = answer;\n',
  "lib/server/bad.ts": 'import { read } from "../domain/read";\nexport const mine = read();\n',
  "lib/model/a.ts": 'import type { B } from "./b";\nexport type A = B | 1;\n',
  "lib/model/b.ts": 'import type { A } from "./a";\nexport type B = A[];\n',
  "lib/domain/vendor.ts":
    'import type { LanguageModelV4 } from "@ai-sdk/provider";\n' +
    "export type Model = LanguageModelV4;\n",
  "lib/client/entry.ts":
    'import type { Status } from "@/lib/model/status";\nexport type Mine = Status;\n',
  "lib/client/read.ts":
    'import { readFileSync } from "node:fs";\nexport const read = readFileSync;\n',
  "lib/client/parse.ts": 'import { z } from "zod";\nexport const parse = z.string();\n',
  "lib/client/lathe-client.ts": "export const createClient = 1;\n",
  "lib/client/inner.ts": "export const inner = 1;\n",
  "lib/offline-model/offline-model.ts":
    'import type { Status } from "../model/status";\nexport type Model = Status;\n',
  "lib/offline-model/inside.ts": "export const inside = 1;\n",
  "lib/offline-model/bad.ts":
    'import { read } from "../domain/read";\nexport const mine = read();\n',
  "lib/runtime/good.ts":
    'import type { Model } from "../offline-model/offline-model";\nexport type Mine = Model;\n',
  "lib/runtime/bad.ts":
    'import { inside } from "../offline-model/inside";\nexport const mine = inside;\n',
  "lib/domain/runs/run.ts": 'import { key } from "../keys/key";\nexport const run = key;\n',
  "lib/domain/keys/key.ts": "export const key = 1;\n",
  "lib/domain/keys/bad.ts":
    'import type { run } from "../runs/run";\nexport type Run = typeof run;\n',
  "lib/domain/agents/bad.ts":
    'import { skill } from "../skills/skill";\nexport const taught = skill;\n',
  "lib/domain/skills/skill.ts": "export const skill = 1;\n",
  "lib/domain/novelties/bad.ts": 'import { key } from "../keys/key";\nexport const first = key;\n',
  "e2e/good.ts":
    'import { createClient } from "@/lib/client/lathe-client";\n' +
    "export const client = createClient;\n",
  "e2e/bad.ts": 'import { inner } from "@/lib/client/inner";\nexport const mine = inner;\n',
  "e2e/worse.ts": 'import type { Status } from "@/lib/model/status";\nexport type Mine = Status;\n',
};
let clone = "";
let modules = 0;
/** @type {{ from: string, rule: { name: string } }[]} */
let violations = [];

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), "import-table-"));
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  }
  const program = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [
    program,
    "--config",
    join(root, ".dependency-cruiser.cjs"),
    "--output-type",
    "json",
    "lib",
    "e2e",
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: clone,
    maxBuffer: 1e8,
  }).catch((error) => error);
  ({
    summary: { totalCruised: modules, violations },
  } = JSON.parse(stdout));
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** The rules that these files break, in the order of the alphabet. @param {string[]} files */
const broken = (...files) =>
  violations
    .filter(({ from }) => files.includes(from))
    .map(({ rule }) => rule.name)
    .sort();

test("an import that the table allows passes, and files were really looked at", () => {
  expect(modules).toBeGreaterThanOrEqual(Object.keys(FILES).length - 1);
  expect(broken("lib/domain/read.ts", "lib/model/status.ts", "lib/storage/save.ts")).toEqual([]);
});

test("an import of types alone from a higher layer is refused", () => {
  expect(broken("lib/model/upwards.ts")).toContain("imports-of-lib-model");
});

test("a noun imports those below it, no neighbours or above, and is written down first", () => {
  expect(broken("lib/domain/runs/run.ts", "lib/domain/skills/skill.ts")).toEqual([]);
  expect(broken("lib/domain/keys/bad.ts")).toEqual(["nouns-of-lib-domain-keys"]);
  expect(broken("lib/domain/agents/bad.ts")).toEqual(["nouns-of-lib-domain-agents"]);
  expect(broken("lib/domain/novelties/bad.ts")).toEqual(["nouns-of-lib-domain-unlisted"]);
});

test("two mechanisms never import each other", () => {
  expect(broken("lib/engine/sideways.ts")).toEqual(["imports-of-lib-engine"]);
});

test("how the embedded executor works is known to the engine and the jobs alone", () => {
  expect(broken("lib/engine/good.ts", "lib/jobs/good.ts")).toEqual([]);
  expect(broken("lib/domain/inward.ts")).toEqual(["embedded-in-engine-and-jobs"]);
});

test("the listener imports the API, never what the API decides by", () => {
  expect(broken("lib/server/good.ts")).toEqual([]);
  expect(broken("lib/server/bad.ts")).toEqual(["imports-of-lib-server"]);
});

test("a cycle is refused, of types too", () => {
  expect(broken("lib/model/a.ts", "lib/model/b.ts")).toContain("no-cycles");
});

test("the AI SDK is reached from the runtime alone", () => {
  expect(broken("lib/domain/vendor.ts")).toEqual(["ai-sdk-in-runtime"]);
});

test("the offline model stands on the ground alone, entered by its one entry", () => {
  expect(broken("lib/offline-model/offline-model.ts", "lib/runtime/good.ts")).toEqual([]);
  expect(broken("lib/offline-model/bad.ts")).toEqual(["imports-of-lib-offline-model"]);
  expect(broken("lib/runtime/bad.ts")).toEqual(["imports-of-lib-runtime"]);
});

test("the client imports nothing of ours and nothing of Node.js", () => {
  const rules = broken("lib/client/entry.ts", "lib/client/read.ts", "lib/client/parse.ts");
  expect(rules).toEqual(["client-stands-alone", "client-stands-alone", "imports-of-lib-client"]);
});

test("the end-to-end tests see the client's entry, and nothing else of the service", () => {
  expect(broken("e2e/good.ts")).toEqual([]);
  expect(broken("e2e/bad.ts", "e2e/worse.ts")).toEqual([
    "e2e-is-a-black-box",
    "e2e-is-a-black-box",
    "imports-of-e2e",
  ]);
});
