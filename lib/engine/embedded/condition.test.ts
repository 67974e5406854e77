import { describe, expect, test } from "vitest";
import {
  bindCondition,
  holdsFor,
  matchKeysOf,
  parseTriggerCondition,
  parseWaitCondition,
} from "@/lib/engine/embedded/functions";

const own = { data: { id: "1", n: 2, list: ["1"] } };

describe("what a wait asks of an event to come", () => {
  test.each([
    ["event.data.id == async.data.other", { path: ["data", "other"], value: "1" }],
    ['async.data.id == "x"', { path: ["data", "id"], value: "x" }],
    ["async.data.id == 'x'", { path: ["data", "id"], value: "x" }],
    ["event.data.missing == async.data.id", { never: true }],
    ["event.data.constructor == async.data.id", { never: true }],
    ["event.data.n == async.data.n", { never: true }],
    ["event.data.list == async.data.id", { never: true }],
  ])("%s is %j", (text, bound) =>
    expect(bindCondition(parseWaitCondition(text), own)).toEqual(bound),
  );

  test.each([
    "",
    "event.data.a",
    "event.data.a != async.data.a",
    "event.data.a == async.data.a && async.data.b == 'x'",
    "event.data.a == async.data.a || true",
    "async.data.a == event.data.a",
    "async.data.a.b == 'x'",
    "async.data.a == 1",
    "event.data.a == 'x'",
    "async.name == 'x'",
    String.raw`async.data.a == "\u0041"`,
  ])("%j is refused with its own words", (text) =>
    expect(() => parseWaitCondition(text)).toThrow(`"${text}"`),
  );
});

describe("what a trigger asks of its event", () => {
  test.each([
    ["event.data.id == '1'", true],
    ['event.data.id == "2"', false],
    ["event.data.n == '2'", false],
    ["event.data.missing == ''", false],
  ])("%s is %s", (text, expected) =>
    expect(holdsFor(parseTriggerCondition(text), own)).toBe(expected),
  );

  test.each([
    "",
    "async.data.a == 'x'",
    "event.data.a == async.data.a",
    "event.data.a == 'x' && event.data.b == 'y'",
    "event.data.a == true",
  ])("%j is refused with its own words", (text) =>
    expect(() => parseTriggerCondition(text)).toThrow(`"${text}"`),
  );
});

test("every text that a wait can ask for is among an event's keys", () => {
  expect(
    matchKeysOf({ id: "1", again: "1", other: "x", n: 2, list: ["3"], deep: { id: "4" } }),
  ).toEqual(['"1"', '"x"']);
});
