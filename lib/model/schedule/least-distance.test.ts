import fc from "fast-check";
import { expect, it } from "vitest";
import { leastDistanceMinutes, nextFirings, parseCron } from "@/lib/model/schedule/schedule";

it.each([
  ["* * * * *", 1],
  ["*/5 * * * *", 5],
  ["*/7 * * * *", 4],
  ["0 * * * *", 60],
  ["0,58 * * * *", 2],
  ["59,0 0,23 * * *", 1],
  ["10-20/3 8 * * *", 3],
  ["5/10 9 * * *", 10],
  ["0 9 * * mon", 1440],
])("%s fires at least %i minutes apart", (cron, minutes) => {
  expect(leastDistanceMinutes(cron)).toBe(minutes);
});

const field = (last: number) => {
  const value = fc.integer({ min: 0, max: last });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const part = fc
    .tuple(
      fc.oneof(fc.constant("*"), value.map(String), range),
      fc.option(fc.integer({ min: 1, max: 30 })),
    )
    .map(([base, step]) => (step === null ? base : `${base}/${step}`));
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(","));
};

it("is what the firings of two days show, whatever the expression", () => {
  fc.assert(
    fc.property(field(59), field(23), (minutes, hours) => {
      const cron = `${minutes} ${hours} * * *`;
      fc.pre(parseCron(cron, "UTC").ok);
      const start = new Date("2026-01-31T23:59:59.000Z");
      const firings = nextFirings(cron, "UTC", start, 200).map((at) => at.getTime());
      const whole =
        firings.length < 200 || (firings.at(-1) ?? 0) - start.getTime() > 2 * 24 * 3600 * 1000;
      const shown = Math.min(
        ...firings.slice(1).map((at, index) => (at - (firings[index] ?? 0)) / 60_000),
      );
      if (whole) expect(leastDistanceMinutes(cron)).toBe(shown);
      else expect(leastDistanceMinutes(cron)).toBeLessThanOrEqual(shown);
    }),
    { numRuns: 40 },
  );
});
