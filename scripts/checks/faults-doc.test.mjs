import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listLines } from "./list-lines.mjs";
import { testTitles } from "./test-titles.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const lines = listLines(`${root}docs/faults.md`);

test("every experiment of docs/faults.md has a test, there under its very title", () => {
  /** @type {{ name: string, tests: { file: string, title: string }[] }[]} */
  const experiments = [];
  for (const line of lines) {
    const [, name = ""] = /^- \*\*([^*]+)\*\* /.exec(line) ?? [];
    if (name) experiments.push({ name, tests: [] });
    const [, file = "", title = ""] = /^ {2}- `([^`]+)`: (.+)$/.exec(line) ?? [];
    if (file) experiments.at(-1)?.tests.push({ file, title });
  }
  expect(experiments.length).toBeGreaterThan(14);
  expect(experiments.filter(({ tests }) => tests.length === 0)).toEqual([]);
  const missing = experiments.flatMap(({ tests }) =>
    tests.filter(
      ({ file, title }) =>
        !existsSync(`${root}${file}`) || !testTitles(`${root}${file}`).includes(title),
    ),
  );
  expect(missing).toEqual([]);
});
