import { expect, test } from "vitest";
import { CASES } from "./cases.mjs";
import { belowFloor, judge, summarize, toTable, toTargetTable } from "./report.mjs";
import { TARGETS } from "./targets.mjs";

/**
 * One round of the short form on a quiet machine, with a service that is so many times slower than
 * it was when its floors were set.
 */
function rows(slower) {
  const reference = {
    accepted: 1000,
    finished: 1000,
    perSecond: 10_000,
    p99: 10,
    ratio: 1,
    token: 50,
    cpu: 1,
  };
  const service = {
    accept16: { accepted: 45 / slower, finished: 45 / slower, cpu: 24 * slower },
    read64: { perSecond: 900 / slower, p99: 90, cpu: 10 * slower },
    streams50: { ratio: 1.8 * slower, token: 500, cpu: 7 * slower },
  };
  const short = CASES.filter(({ name }) => name in service);
  return summarize(
    short,
    Object.fromEntries(
      short.map(({ name }) => [name, { reference: [reference], service: [service[name]] }]),
    ),
  );
}

test("the short form passes a service twice as slow, and names each case ten times slower", () => {
  expect(belowFloor(rows(2))).toEqual([]);
  expect(belowFloor(rows(10))).toHaveLength(7);
  expect(belowFloor(rows(10))[0]).toContain("Runs accepted a second, 16 connections");
});

test("a case that gave no figures is below its floor", () => {
  expect(belowFloor(summarize(CASES, {})).length).toBeGreaterThan(0);
});

const round = (perSecond) => ({ perSecond, p99: 1 });
const ofRead64 = CASES.filter(({ name }) => name === "read64");
const read64 = summarize(ofRead64, {
  read64: { service: [round(500), round(450), round(9_000)], reference: [round(1_000)] },
});

test("the table has the median of the rounds, and the ratio of the medians", () => {
  expect(toTable(read64).split("\n")[2]).toBe(
    "| A run read a second, 64 connections | 500 | 1000 | 0.50 |",
  );
});

test("of what only a fresh service shows the first round stands", () => {
  const idle = CASES.filter(({ name }) => name === "idle");
  const results = { idle: { service: [{ mib: 138 }, { mib: 300 }, { mib: 310 }] } };
  const [row] = summarize(idle, results).filter(({ key }) => key === "mib");
  expect(row.values).toEqual({ service: 138 });
});

test("a target is met at its bound, missed beyond it, and without both figures neither", () => {
  const target = { title: "Reads", case: "read64", figure: "perSecond" };
  const judged = judge(
    [
      { ...target, of: "reference", least: 0.5 },
      { ...target, of: "reference", least: 0.51 },
      { ...target, of: "reference", most: 0.5 },
      { ...target, of: "reference", most: 0.49 },
      { ...target, least: 400 },
      { ...target, of: "dbos", least: 0.5 },
      { title: "Elsewhere", by: "npm test" },
    ],
    read64,
  );
  expect(judged.map(({ measured, isMet }) => [measured, isMet])).toEqual([
    [0.5, true],
    [0.5, false],
    [0.5, true],
    [0.5, false],
    [500, true],
    [null, null],
    [null, null],
  ]);
  expect(toTargetTable(judged).split("\n").slice(2)).toEqual([
    "| Reads | bare Node + pg | ≥ 0.5 | 0.50 | met |",
    "| Reads | bare Node + pg | ≥ 0.51 | 0.50 | **missed** |",
    "| Reads | bare Node + pg | ≤ 0.5 | 0.50 | met |",
    "| Reads | bare Node + pg | ≤ 0.49 | 0.50 | **missed** |",
    "| Reads |  | ≥ 400 | 500 | met |",
    "| Reads | DBOS | ≥ 0.5 | – | not measured |",
    "| Elsewhere |  |  | – | npm test |",
  ]);
});

test("every target is of a figure that is measured, beside a side that the case measures", () => {
  const wrong = TARGETS.filter((target) => !target.by).filter((target) => {
    const item = CASES.find(({ name }) => name === target.case);
    const sides = [target.of ?? "service", "service"];
    const isMeasured = sides.every((side) => !item?.sides || item.sides.includes(side));
    const hasBound = (target.least === undefined) !== (target.most === undefined);
    return !isMeasured || !hasBound || !item?.figures.some(({ key }) => key === target.figure);
  });
  expect(wrong).toEqual([]);
  expect(new Set(TARGETS.flatMap(({ of = [] }) => of))).toEqual(
    new Set(["dbos", "langgraph", "reference"]),
  );
});

test("what is left of a thousand streams is told behind a thousand streams alone", async () => {
  const [after] = CASES.filter(({ name }) => name === "memory-after");
  const side = { name: "service", processes: [] };
  await expect(after.run({ side, results: { idle: { service: [{}] } } })).rejects.toThrow(
    "streams1000",
  );
});
