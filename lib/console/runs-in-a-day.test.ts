import { expect, test } from "vitest";
import { runsInADay } from "@/lib/console/runs-in-a-day";

const now = new Date("2026-11-25T00:05:00Z");
const usage = (...runs: number[]) => ({
  by_agent: runs.map((count) => ({ agent_id: null, agent_name: null, credits: 1, runs: count })),
});
const at = (created_at: string) => ({ created_at });

test("the figure is never less than the runs of the day that stand beside it", () => {
  // Two of four have called a model; a day that has just begun in UTC changes nothing.
  const listed = [
    at("2026-11-25T00:04:00Z"),
    at("2026-11-24T23:59:00Z"),
    at("2026-11-24T20:00:00Z"),
    at("2026-11-24T00:06:00Z"),
  ];
  expect(runsInADay(usage(1, 1), listed, now)).toBe(4);
  expect(runsInADay(usage(1, 1), [...listed, at("2026-11-24T00:04:00Z")], now)).toBe(4);
  expect(runsInADay(usage(300, 20), listed, now)).toBe(320);
  expect(runsInADay(usage(), [], now)).toBe(0);
});
