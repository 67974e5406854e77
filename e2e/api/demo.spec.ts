import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";

/**
 * The first command of the README, on data sets that a package ships, with three sentences and
 * three files. The figures of each answer are recomputed here from the file: nothing in the demo
 * can be canned.
 */
const DATA = path.resolve("node_modules/vega-datasets/data");

interface Demo {
  code: number | null;
  output: string;
  lines: { type: string; result?: { text: string; artifacts: unknown[] } }[];
}

function runDemo(args: string[]): Promise<Demo> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["scripts/demo.mjs", "--exit", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const lines = output.split("\n").filter((line) => line.trim().startsWith('{"type"'));
      resolve({ code, output, lines: lines.map((line) => JSON.parse(line)) });
    });
  });
}

/**
 * The figure under its own name: in a line such as `- Average wind: **3.24**`, or in a cell of a
 * table.
 */
function figureOf(text: string, row: string, heading: string): number {
  const line = new RegExp(`^- ${heading} ${row}: \\*\\*(-?[\\d.,]+)\\*\\*`, "im").exec(text)?.[1];
  return line === undefined ? cellOf(text, row, heading) : Number(line.replaceAll(",", ""));
}

/**
 * The number in the cell of the answer's tables that stands in the row of this name, under a
 * heading that holds this word.
 */
function cellOf(text: string, row: string, heading: string): number {
  let headings: string[] = [];
  for (const line of text.split("\n")) {
    const cells = line.startsWith("|") ? line.split("|").map((cell) => cell.trim()) : [];
    if (headings.length === 0) headings = cells;
    const column = headings.findIndex((name) => name.includes(heading));
    if (cells[1] === row && column > 0) return Number(cells[column]?.replaceAll(",", ""));
    if (cells.length === 0) headings = [];
  }
  return Number.NaN;
}

/** `figures` by row and word of the heading. */
function expectFigures(demo: Demo, figures: [string, string, number][]): void {
  expect(demo.code, demo.output.slice(-3000)).toBe(0);
  expect(demo.lines[0]?.type).toBe("run.created");
  const text = demo.lines.at(-1)?.result?.text ?? "";
  for (const [row, heading, figure] of figures) {
    const off = Math.abs(figureOf(text, row, heading) - figure);
    expect(off, `${heading} of ${row} should be ${figure} in:\n${text}`).toBeLessThanOrEqual(
      0.0051,
    );
  }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function readCsv(name: string): Record<string, string>[] {
  const [header = "", ...rows] = readFileSync(path.join(DATA, name), "utf8").trim().split(/\r?\n/);
  const columns = header.split(",");
  return rows.map((row) =>
    Object.fromEntries(row.split(",").map((value, index) => [columns[index] ?? "", value])),
  );
}

test.describe.configure({ mode: "serial" });

test("the demo of the README reports the file's own figures of Seattle's weather", async () => {
  // As in a fresh clone: the operator's command, which the demo calls beside its running service,
  // is not bundled yet.
  rmSync(".cache/admin.mjs.sources", { force: true });
  const demo = await runDemo([]);
  const rows = readCsv("seattle-weather.csv");
  const figures = ["precipitation", "temp_max", "temp_min", "wind"].flatMap(
    (column): [string, string, number][] => {
      const values = rows.map((row) => Number(row[column]));
      return [
        [column, "average", mean(values)],
        [column, "lowest", Math.min(...values)],
        [column, "highest", Math.max(...values)],
      ];
    },
  );
  expectFigures(demo, figures);
  expect(demo.lines.at(-1)?.result?.text).toContain(`(${rows.length} rows`);
});

test("another sentence and JSON: mean horsepower by origin of the cars data set", async () => {
  const demo = await runDemo([
    "--file",
    path.join(DATA, "cars.json"),
    "--sentence",
    "Create an agent that analyses a JSON file of cars from the workspace and compares groups of " +
      "cars by their averages.",
    "--ask",
    "What is the average Horsepower by Origin?",
  ]);
  const cars = JSON.parse(readFileSync(path.join(DATA, "cars.json"), "utf8")) as {
    Origin: string;
    Horsepower: number | null;
  }[];
  const of = (origin: string) =>
    mean(
      cars
        .filter((car) => car.Origin === origin && car.Horsepower !== null)
        .map((car) => Number(car.Horsepower)),
    );
  expectFigures(
    demo,
    ["USA", "Europe", "Japan"].map((origin) => [origin, "average", of(origin)]),
  );
});

test("a third sentence and another CSV: the highest price of each stock", async () => {
  const demo = await runDemo([
    "--file",
    path.join(DATA, "stocks.csv"),
    "--sentence",
    "I need a stock reporter: it reads a CSV of stock prices and gives me the highest price for " +
      "each symbol in a short table.",
    "--ask",
    "Give me the highest price for each symbol.",
  ]);
  const rows = readCsv("stocks.csv");
  const highest = (symbol: string) =>
    Math.max(...rows.filter((row) => row.symbol === symbol).map((row) => Number(row.price)));
  expectFigures(
    demo,
    ["MSFT", "AMZN", "IBM", "GOOG", "AAPL"].map((symbol) => [symbol, "highest", highest(symbol)]),
  );
});
