import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listLines } from "./list-lines.mjs";
import { testTitles } from "./test-titles.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const lines = listLines(`${root}docs/conformance.md`);

/** The sentences with the tests that stand under each. */
function readSentences() {
  /** @type {{ number: string, quote: string, tests: { file: string, title: string }[] }[]} */
  const sentences = [];
  for (const line of lines) {
    const [, number = "", quote = ""] = /^- \*\*([\d.]+-\d+)\*\* (.+)$/.exec(line) ?? [];
    if (number) sentences.push({ number, quote, tests: [] });
    const [, file = "", title = ""] = /^ {2}- `([^`]+)`: (.+)$/.exec(line) ?? [];
    if (file) sentences.at(-1)?.tests.push({ file, title });
  }
  return sentences;
}

test("every test that docs/conformance.md names is there, under this very title", () => {
  /** @type {Map<string, string[]>} */
  const known = new Map();
  /** @param {string} file */
  const titlesOf = (file) => {
    const titles =
      known.get(file) ?? (existsSync(`${root}${file}`) ? testTitles(`${root}${file}`) : []);
    known.set(file, titles);
    return titles;
  };
  const missing = readSentences().flatMap(({ number, tests }) =>
    tests
      .filter(({ file, title }) => !titlesOf(file).includes(title))
      .map(({ file, title }) => `${number}: ${file}: ${title}`),
  );
  expect(missing).toEqual([]);
});

test("every sentence of docs/conformance.md has a test, counted without a gap", () => {
  const sentences = readSentences();
  expect(sentences.length).toBeGreaterThan(200);
  expect(sentences.filter(({ tests }) => tests.length === 0).map(({ number }) => number)).toEqual(
    [],
  );
  const counts = new Map();
  for (const { number } of sentences) {
    const [section, place] = number.split("-");
    counts.set(section, (counts.get(section) ?? 0) + 1);
    expect(number).toBe(`${section}-${counts.get(section)}`);
    expect(Number(place)).toBe(counts.get(section));
  }
});

test("docs/conformance.md holds nothing that this test would pass over", () => {
  const listed = lines.filter((line) => /^\s*- /.test(line));
  const read = readSentences();
  expect(listed).toHaveLength(read.length + read.reduce((sum, { tests }) => sum + tests.length, 0));
});
