import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toDottedPath } from "@/lib/model/json-schema/json-value";
import { checkSchedule, nextFirings } from "@/lib/model/schedule/schedule";

const firings = (cron: string, zone: string, after: string, count: number) =>
  nextFirings(cron, zone, new Date(after), count).map((at) => at.toISOString().slice(0, 16));
const NOW = new Date("2026-01-01T00:00:00Z");
const issues = (cron: string, zone = "UTC") =>
  checkSchedule(cron, zone, NOW).map(({ path, message }) => `${toDottedPath(path)}: ${message}`);

describe("checkSchedule", () => {
  it.each([
    "* * * * *",
    "0 9 * * 1-5",
    "*/15 8-18/2 1,15 * *",
    "0 0 29 2 *",
    "30 6 * JAN,jul MON-FRI",
    "0 0 * * 7",
    "  0 0  *\t* *  ",
    "59 23 31 12 *",
  ])("takes %j", (cron) => {
    expect(issues(cron, "America/New_York")).toEqual([]);
  });

  it.each([
    "",
    "* * * *",
    "* * * * * *",
    "@daily",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * 32 * *",
    "* * * 13 *",
    "* * * * 8",
    "*/0 * * * *",
    "5-1 * * * *",
    "a * * * *",
    "* * L * *",
    "* * 5W * *",
    "* * * * 5#2",
    "? * * * *",
    "* * * foo *",
    "1,,2 * * * *",
    "*-5 * * * *",
    "-1 * * * *",
    "1.5 * * * *",
    "* * * * *\n* * * * *",
    "0 0 30 2 *",
    "0 0 31 4,6,9,11 *",
    `${"0,".repeat(200)}0 * * * *`,
  ])("refuses %j", (cron) => {
    expect(issues(cron).join()).toMatch(/^cron: ./);
  });

  it.each([
    "",
    "Mars/Base",
    "+02:00",
    "Europe/Berlin ",
    "../etc/passwd",
    "\u0000",
    "x".repeat(10_000),
    "Europe//Berlin",
  ])("refuses the time zone %j", (zone) => {
    expect(issues("* * * * *", zone).join()).toMatch(/^timezone: /);
    expect(() => nextFirings("* * * * *", zone, NOW, 1)).toThrow(RangeError);
  });

  it.each([
    "UTC",
    "Europe/Berlin",
    "America/Argentina/Buenos_Aires",
    "Etc/GMT+5",
    "Asia/Kathmandu",
  ])("takes the time zone %s", (zone) => {
    expect(issues("* * * * *", zone)).toEqual([]);
  });
});

describe("nextFirings", () => {
  it("goes by the clock of the zone, strictly after the given moment", () => {
    expect(firings("0 9 * * 1-5", "America/New_York", "2026-01-02T14:00:00Z", 2)).toEqual([
      "2026-01-05T14:00",
      "2026-01-06T14:00",
    ]);
    expect(firings("0 9 * * 1-5", "Asia/Kathmandu", "2026-01-02T03:14:59Z", 1)).toEqual([
      "2026-01-02T03:15",
    ]);
    expect(firings("* * * * *", "UTC", "2026-01-02T03:14:59.999Z", 2)).toEqual([
      "2026-01-02T03:15",
      "2026-01-02T03:16",
    ]);
    expect(firings("0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", 2)).toEqual([
      "2028-02-29T00:00",
      "2032-02-29T00:00",
    ]);
  });

  it("fires on either day when both are given", () => {
    expect(firings("0 0 13 * 5", "UTC", "2026-10-05T00:00:00Z", 3)).toEqual([
      "2026-10-09T00:00",
      "2026-10-13T00:00",
      "2026-10-16T00:00",
    ]);
  });

  it.each([
    ["Europe/Berlin", "2026-03-28T02:00:00Z", ["2026-03-29T01:00", "2026-03-30T00:30"]],
    ["America/New_York", "2026-03-07T12:00:00Z", ["2026-03-08T07:00", "2026-03-09T06:30"]],
  ])(
    "fires a fixed time that is skipped in %s at the moment of the change",
    (zone, after, expected) => {
      expect(firings("30 2 * * *", zone, after, 2)).toEqual(expected);
    },
  );

  it.each([
    [
      "30 2 * * *",
      "Europe/Berlin",
      "2026-10-24T12:00:00Z",
      ["2026-10-25T00:30", "2026-10-26T01:30"],
    ],
    [
      "30 1 * * *",
      "America/New_York",
      "2026-10-31T12:00:00Z",
      ["2026-11-01T05:30", "2026-11-02T06:30"],
    ],
  ])("fires a fixed time that comes twice once: %s in %s", (cron, zone, after, expected) => {
    expect(firings(cron, zone, after, 2)).toEqual(expected);
    // The firing after the first passing is the next day's, not the second passing.
    expect(firings(cron, zone, `${expected[0]}:00Z`, 1)).toEqual(expected.slice(1));
  });

  it("gives an hourly schedule one firing each hour of the world through both changes", () => {
    for (const after of ["2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z"]) {
      const times = nextFirings("0 * * * *", "Europe/Berlin", new Date(after), 12).map((at) =>
        at.getTime(),
      );
      expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual(
        Array.from({ length: 11 }, () => 3_600_000),
      );
    }
  });

  it("agrees with a look at every single minute, in every zone, on both sides of a change", () => {
    const minutes = fc.constantFrom("*/7", "*/20", "5-9", "*", "10-50/20");
    const hours = fc.constantFrom("*", "*/3", "1-4", "0,2,23", "22-23");
    const days = fc.constantFrom("*", "1-15", "25,29,30", "*/5");
    const weekdays = fc.constantFrom("*", "MON-FRI", "0,6", "7");
    fc.assert(
      fc.property(
        fc.constantFrom(...WINDOWS),
        minutes,
        hours,
        days,
        weekdays,
        ({ zone, start }, minute, hour, day, weekday) => {
          const looked = minutesOf(zone, start).filter(
            (at) =>
              fits(minute, at.minute, 0) &&
              fits(hour, at.hour, 0) &&
              (day === "*" || weekday === "*"
                ? fits(day, at.day, 1) && fits(weekday, at.weekday, 0)
                : fits(day, at.day, 1) || fits(weekday, at.weekday, 0)),
          );
          const end = start + HOURS * 3_600_000;
          const expected = looked.map(({ time }) => time).filter((time) => time > start);
          const wanted = Math.min(expected.length + 1, 200);
          const got = nextFirings(
            `${minute} ${hour} ${day} * ${weekday}`,
            zone,
            new Date(start),
            wanted,
          ).map((at) => at.getTime());
          expect(got.filter((time) => time < end)).toEqual(expected.slice(0, wanted));
        },
      ),
      { numRuns: 100 },
    );
  });
});

const HOURS = 40;
const WINDOWS = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"].flatMap(
  (zone) =>
    [
      "2026-03-07T12:00:00Z",
      "2026-03-28T10:00:00Z",
      "2026-04-04T00:00:00Z",
      "2026-10-03T00:00:00Z",
      "2026-10-24T12:00:00Z",
      "2026-10-31T12:00:00Z",
    ].map((start) => ({ zone, start: Date.parse(start) })),
);
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
type Minute = { time: number; minute: number; hour: number; day: number; weekday: number };
const known = new Map<string, Minute[]>();

function minutesOf(zone: string, start: number): Minute[] {
  const key = `${zone} ${start}`;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    weekday: "short",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const made =
    known.get(key) ??
    Array.from({ length: HOURS * 60 }, (_, index) => minuteAt(format, start + index * 60_000));
  known.set(key, made);
  return made;
}

function minuteAt(format: Intl.DateTimeFormat, time: number): Minute {
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value]),
  );
  return {
    time,
    minute: Number(parts.minute),
    hour: Number(parts.hour),
    day: Number(parts.day),
    weekday: WEEKDAYS.indexOf(parts.weekday ?? ""),
  };
}

function fits(field: string, value: number, first: number): boolean {
  return field.split(",").some((part) => {
    if (part === "MON-FRI") return value >= 1 && value <= 5;
    const [range = "", step = "1"] = part.split("/");
    const [low = "", high = low] = range.split("-");
    if (range === "*") return (value - first) % Number(step) === 0;
    return (
      (value >= Number(low) &&
        value <= Number(high) &&
        (value - Number(low)) % Number(step) === 0) ||
      (part === "7" && value === 0)
    );
  });
}
