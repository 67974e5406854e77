import { describe, expect, test } from "vitest";
import { bindCondition, holdsFor, matchesBound, matchKeysOf, parseCondition } from "@/lib/engine/embedded/condition";

const matches = (text: string, event: object, later: object) =>
  bindCondition(parseCondition(text), event).every((bound) => matchesBound(bound, later));
const own = { name: "a", data: { id: "1", deep: { n: 2 }, flag: true, list: [1] } };

describe("a condition between two events", () => {
  test.each([
    ["event.data.id == async.data.id", { data: { id: "1" } }, true],
    ["event.data.id == async.data.id", { data: { id: 1 } }, false],
    ["event.data.id == async.data.id", { data: {} }, false],
    ["async.data.other == event.data.deep.n", { data: { other: 2 } }, true],
    ["event.data.id == async.data.id && async.data.kind == 'x'", { data: { id: "1", kind: "x" } }, true],
    ['event.data.id == async.data.id && async.data.kind == "x"', { data: { id: "1", kind: "y" } }, false],
    ["event.data.flag == true && event.data.id == async.data.id", { data: { id: "1" } }, true],
    ["event.data.flag == false && event.data.id == async.data.id", { data: { id: "1" } }, false],
    ["event.data.missing == async.data.missing", { data: {} }, false],
    ["event.data.list == async.data.list", { data: { list: [1] } }, false],
    ["event.data.id == async.constructor.name", {}, false],
  ])("%s with %j is %s", (text, later, expected) => expect(matches(text, own, later)).toBe(expected));
});

test("a condition on one event holds by its values", () => {
  expect(holdsFor(parseCondition("event.data.id == '1'"), own)).toBe(true);
  expect(holdsFor(parseCondition("event.data.id == '2'"), own)).toBe(false);
});

test.each([
  "",
  "event.data.a",
  "event.data.a != async.data.a",
  "event.data.a == async.data.a &&",
  "event.data.a == async.data.a || true",
  "size(event.data.a) == 1",
  "event == async",
  "&& event.data.a == 1",
  "event.data.a == 1 event.data.b == 2",
])("%j is refused with its own words", (text) => expect(() => parseCondition(text)).toThrow(`"${text}" is not a chain`));

test("every value that a wait can name is among an event's keys; an event with too many says so", () => {
  expect(matchKeysOf({ id: "1", deep: { n: 2 }, list: [3] })).toEqual(['"1"', "2"]);
  expect(matchKeysOf(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i])))).toBeNull();
});
