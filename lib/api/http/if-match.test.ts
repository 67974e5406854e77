import { expect, test } from "vitest";
import { ifMatch } from "@/lib/api/http/request";

test.each([
  [null, true],
  ["*", true],
  ['"a-1"', true],
  ['"b", "a-1"', true],
  ['  "a-1" ', true],
  ['"a-2"', false],
  ['W/"a-1"', false],
  ["a-1", false],
  ["", false],
])('If-Match %j against "a-1" is %j', (header, expected) => {
  expect(ifMatch(header, '"a-1"')).toBe(expected);
});
