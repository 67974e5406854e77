import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PATH = /`((?:lib|e2e|scripts|components|clients)\/[^`\s]+\.(?:ts|tsx|mjs))`/g;

test("every file that the threat table names is there, and every threat has a test", () => {
  const text = readFileSync(join(ROOT, "docs/security.md"), "utf8");
  const missing = [...text.matchAll(PATH)]
    .map(([, path = ""]) => path)
    .filter((path) => !path.includes("*") && !existsSync(join(ROOT, path)));
  expect(missing).toEqual([]);
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (Threat|A text|-)/.test(line));
  expect(rows.length).toBeGreaterThan(40);
  expect(
    rows.filter((row) => !/\.(test|spec)\.(ts|mjs)/.test(row.split("|").at(-2) ?? "")),
  ).toEqual([]);
});

const CASE = [
  /name: "([^"]+)",\s*stoppedBy:\s*"([^"]+)"/g,
  /test\(\s*"([^"]+?): stopped by ([^"]+)"/g,
];

test("the table of what stops an obeying model has each case of the safety tests", () => {
  const folder = join(ROOT, "e2e/safety");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const cases = sources.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8").replace(/" \+\s+"/g, "");
    return CASE.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(([, what, by]) => `${what}: ${by}`.toLowerCase()),
    );
  });
  const [, section = ""] = readFileSync(join(ROOT, "docs/security.md"), "utf8").split(
    "\n## A model that obeys everything\n",
  );
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (A text|-)/.test(line));
  const told = rows.map((row) =>
    row
      .split("|")
      .slice(1, 3)
      .map((cell) => cell.trim().toLowerCase())
      .join(": "),
  );
  expect(cases.length).toBeGreaterThan(40);
  expect([...new Set(told)].sort()).toEqual([...new Set(cases)].sort());
});
