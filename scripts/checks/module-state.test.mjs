import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sourceFiles } from "./account-queries.mjs";
import {
  environmentSetIn,
  findEnvironmentSetters,
  findModuleState,
  moduleStateIn,
  processReadsIn,
} from "./module-state.mjs";
import { ENVIRONMENT_TESTS } from "./module-state-exceptions.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** @param {string} path */
const partNames = (path) =>
  [...readFileSync(path, "utf8").matchAll(/\bdefinePart\(\s*"([^"]+)"/g)].map(([, name]) => name);

test.each([
  "let parsed: Env | undefined;",
  "export let count = 0;",
  "var old = 1;",
  "const kept = new Map<string, number>();",
  "const known = new Set();",
  "const rows: string[] = [];",
  "const state = {} as State;",
  "export const context = new AsyncLocalStorage<Work>();",
  "const pool = new pg.Pool({ max: 2 });",
  "export const hub = new EventHub(pool());",
])("what a module would keep while the service works is found: %s", (source) => {
  expect(moduleStateIn(source)).toHaveLength(1);
});

test.each([
  "const NAMES = new Set(['a', 'b']);",
  "const TABLE = new Map(ROWS.map((row) => [row.id, row]));",
  "const NONE: readonly string[] = [];",
  "const LIMITS = { most: 4 };",
  "const KEY = new RegExp(PATTERN);",
  "const WHOLE = new Intl.NumberFormat('en');",
  "export const kept = definePart('kept', () => new Map<string, number>());",
  "function count() { let n = 0; const seen = new Map(); return () => ++n + seen.size; }",
])("what does not change, or is a part of the service, passes: %s", (source) => {
  expect(moduleStateIn(source)).toEqual([]);
});

test("who reads the environment or the global object beside their one place is found", () => {
  const source = 'const a = process.env.PORT;\nReflect.get(globalThis, "b");';
  expect(processReadsIn(source, "lib/domain/x.ts").map(({ name, line }) => [name, line])).toEqual([
    ["process.env", 1],
    ["globalThis", 2],
  ]);
  expect(processReadsIn("process.env.PORT", "lib/env.ts")).toEqual([]);
  expect(processReadsIn("globalThis.fetch(url)", "lib/domain/x.ts")).toEqual([]);
});

test.each([
  'vi.stubEnv("PORT", "1");',
  "Object.assign(process.env, {});",
  'process.env.PORT = "1";',
  'process.env[name] ??= "1";',
])("a test that sets the environment is found: %s", (source) => {
  expect(environmentSetIn(source)).toHaveLength(1);
});

test("a test that only reads it passes", () => {
  expect(environmentSetIn("const seed = process.env.SEED; if (process.env.A === b) f();")).toEqual(
    [],
  );
});

test("no module keeps what belongs to the service, and each exception is used", () => {
  expect(findModuleState(root)).toEqual([]);
});

test("a part's name is defined once", () => {
  const names = sourceFiles(root, ["lib"]).flatMap((path) => partNames(path));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("no test sets the environment: it gives its service the variables", () => {
  const tests = readdirSync(join(root, "lib"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => relative(root, join(root, "lib", path)));
  expect(findEnvironmentSetters(root, tests, ENVIRONMENT_TESTS)).toEqual([]);
});
