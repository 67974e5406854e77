import { expect, test } from "vitest";
import { CASES } from "./cases.mjs";
import { belowFloor, summarize, toTable } from "./report.mjs";

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

test("the short form passes for a service that is twice as slow as it was, as on a busy machine, and names each case that is ten times slower", () => {
  expect(belowFloor(rows(2))).toEqual([]);
  expect(belowFloor(rows(10))).toHaveLength(7);
  expect(belowFloor(rows(10))[0]).toContain("Runs accepted a second, 16 connections");
});

test("a case that gave no figures is below its floor", () => {
  expect(belowFloor(summarize(CASES, {})).length).toBeGreaterThan(0);
});

test("the table has the median of the rounds, the ratio of the medians, and whether what is wanted is met", () => {
  const cases = CASES.filter(({ name }) => name === "read64");
  const round = (perSecond) => ({ perSecond, p99: 1 });
  const results = {
    read64: { service: [round(500), round(450), round(9_000)], reference: [round(1_000)] },
  };
  expect(toTable(summarize(cases, results)).split("\n")[2]).toBe(
    "| A run read a second, 64 connections | 500 | 1000 | 0.50 | ≥ 0.4 × bare Node + pg | met |",
  );
});
