import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PATH = /`((?:lib|e2e|scripts|components)\/[^`\s]+\.(?:ts|tsx|mjs))`/g;

test("every file that the threat table names is there, and every threat has a test", () => {
  const text = readFileSync(join(ROOT, "docs/security.md"), "utf8");
  const missing = [...text.matchAll(PATH)]
    .map(([, path = ""]) => path)
    .filter((path) => !path.includes("*") && !existsSync(join(ROOT, path)));
  expect(missing).toEqual([]);
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && !/^\| (Threat|-)/.test(line));
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((row) => !/\.(test|spec)\.(ts|mjs)/.test(row.split("|").at(-2) ?? ""))).toEqual([]);
});
