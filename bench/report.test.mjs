import { expect, test } from "vitest";
import { CASES } from "./cases.mjs";
import { belowFloor, summarize, toTable } from "./report.mjs";

/** One round, in which the service does so much of what the reference does. */
function rows(share) {
  const short = CASES.filter(({ name }) => ["accept16", "read64", "streams50"].includes(name));
  const values = (factor) => ({
    accepted: 1000 * factor,
    finished: 1000 * factor,
    perSecond: 10_000 * factor,
    p99: 10,
    ratio: 1 / factor,
    token: 50,
    cpu: 30,
  });
  const results = Object.fromEntries(short.map(({ name }) => [name, { reference: [values(1)], service: [values(share)] }]));
  return summarize(short, results);
}

test("the short form passes for a service that is as slow beside bare Node as it may be, and names each case that is ten times slower", () => {
  expect(belowFloor(rows(0.5))).toEqual([]);
  expect(belowFloor(rows(0.001))).toHaveLength(4);
  expect(belowFloor(rows(0.001))[0]).toContain("Runs accepted a second, 16 connections");
});

test("a case that gave no figures is below its floor", () => {
  expect(belowFloor(summarize(CASES, {})).length).toBeGreaterThan(0);
});

test("the table has the median of the rounds, the ratio of the medians, and whether what is wanted is met", () => {
  const cases = CASES.filter(({ name }) => name === "read64");
  const round = (perSecond) => ({ perSecond, p99: 1 });
  const results = { read64: { service: [round(500), round(450), round(9_000)], reference: [round(1_000)] } };
  expect(toTable(summarize(cases, results)).split("\n")[2]).toBe(
    "| A run read a second, 64 connections | 500 | 1000 | 0.50 | ≥ 0.4 × bare Node + pg | met |",
  );
});
