import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
let clone;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "import-table-"));
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  plant("tsconfig.json", '{"compilerOptions":{"module":"esnext","moduleResolution":"bundler","paths":{"@/*":["./*"]}}}');
  plant("lib/model/status.ts", "export type Status = 'open';\n");
  plant("lib/domain/read.ts", 'import type { Status } from "@/lib/model/status";\nexport const read = (): Status => "open";\n');
});

afterEach(() => rmSync(clone, { recursive: true, force: true }));

function plant(path, text) {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), text);
}

async function cruise(...folders) {
  const program = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const args = [program, "--config", join(root, ".dependency-cruiser.cjs"), "--output-type", "json", ...folders];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: clone, maxBuffer: 1e8 }).catch((error) => error);
  const { summary } = JSON.parse(stdout);
  return { modules: summary.totalCruised, rules: summary.violations.map(({ rule }) => rule.name) };
}

test("an import that the table allows passes, and files were really looked at", async () => {
  const { modules, rules } = await cruise("lib");
  expect(modules).toBeGreaterThanOrEqual(2);
  expect(rules).toEqual([]);
});

test("an import of types alone from a higher layer is refused", async () => {
  plant("lib/model/bad.ts", 'import type { read } from "@/lib/domain/read";\nexport type Read = typeof read;\n');
  expect((await cruise("lib")).rules).toContain("imports-of-lib-model");
});

test("two mechanisms never import each other", async () => {
  plant("lib/storage/save.ts", "export const save = 1;\n");
  plant("lib/engine/bad.ts", 'import { save } from "../storage/save";\nexport const twice = save * 2;\n');
  expect((await cruise("lib")).rules).toContain("imports-of-lib-engine");
});

test("the listener imports the API, never what the API decides by", async () => {
  plant("lib/api/answer.ts", "export const answer = 1;\n");
  plant("lib/server/good.ts", 'import { answer } from "../api/answer";\nexport const served = answer;\n');
  expect((await cruise("lib")).rules).toEqual([]);
  plant("lib/server/bad.ts", 'import { read } from "../domain/read";\nexport const mine = read();\n');
  expect((await cruise("lib")).rules).toContain("imports-of-lib-server");
});

test("a cycle is refused, of types too", async () => {
  plant("lib/model/a.ts", 'import type { B } from "./b";\nexport type A = B | 1;\n');
  plant("lib/model/b.ts", 'import type { A } from "./a";\nexport type B = A[];\n');
  expect((await cruise("lib")).rules).toContain("no-cycles");
});

test("the AI SDK is reached from the runtime alone", async () => {
  plant("lib/domain/bad.ts", 'import type { LanguageModelV3 } from "@ai-sdk/provider";\nexport type Model = LanguageModelV3;\n');
  expect((await cruise("lib")).rules).toContain("ai-sdk-in-runtime");
});

test("the offline model stands on the ground alone, and the runtime enters it by its one entry", async () => {
  plant("lib/offline-model/offline-model.ts", 'import type { Status } from "../model/status";\nexport type Model = Status;\n');
  plant("lib/offline-model/inside.ts", "export const inside = 1;\n");
  plant("lib/runtime/good.ts", 'import type { Model } from "../offline-model/offline-model";\nexport type Mine = Model;\n');
  expect((await cruise("lib")).rules).toEqual([]);
  plant("lib/runtime/bad.ts", 'import { inside } from "../offline-model/inside";\nexport const mine = inside;\n');
  plant("lib/offline-model/bad.ts", 'import { read } from "../domain/read";\nexport const mine = read();\n');
  expect((await cruise("lib")).rules.sort()).toEqual(["imports-of-lib-offline-model", "imports-of-lib-runtime"]);
});

test("the client imports nothing of ours and nothing of Node.js", async () => {
  plant("lib/client/entry.ts", 'import type { Status } from "@/lib/model/status";\nexport type Mine = Status;\n');
  plant("lib/client/read.ts", 'import { readFileSync } from "node:fs";\nexport const read = readFileSync;\n');
  plant("lib/client/parse.ts", 'import { z } from "zod";\nexport const parse = z.string();\n');
  const { rules } = await cruise("lib");
  expect(rules.sort()).toEqual(["client-stands-alone", "client-stands-alone", "imports-of-lib-client"]);
});

test("the end-to-end tests see the client's entry, and nothing else of the service", async () => {
  plant("lib/client/lathe-client.ts", "export const createClient = 1;\n");
  plant("lib/client/inner.ts", "export const inner = 1;\n");
  plant("e2e/good.ts", 'import { createClient } from "@/lib/client/lathe-client";\nexport const client = createClient;\n');
  expect((await cruise("lib", "e2e")).rules).toEqual([]);
  plant("e2e/bad.ts", 'import { inner } from "@/lib/client/inner";\nexport const mine = inner;\n');
  plant("e2e/worse.ts", 'import type { Status } from "@/lib/model/status";\nexport type Mine = Status;\n');
  expect((await cruise("lib", "e2e")).rules.sort()).toEqual(["e2e-is-a-black-box", "e2e-is-a-black-box", "imports-of-e2e"]);
});
