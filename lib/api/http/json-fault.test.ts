import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonFault } from "@/lib/api/http/read-body";

const saysJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test.each([
  [
    '{"a": 1,}',
    "1:9",
    "a property's name in double quotes; a comma before a closing bracket is not allowed",
  ],
  ["[1,]", "1:4", "a comma before a closing bracket is not allowed"],
  ["{'a': 1}", "1:2", "a property's name in double quotes, or a closing brace"],
  ['{"a": sk-live-4711}', "1:7", "a value: a text in double quotes"],
  ['{"a" 1}', "1:6", "a colon"],
  ['{"a": 1\n "b": 2}', "2:2", "a comma or a closing bracket"],
  ['{"a": "sk-live-4711}', "1:7", "a closing double quote for the text that begins here"],
  ['{"a": "x\ny"}', "1:9", "write a line break as \\n"],
  ['{"a": "\\x"}', "1:8", "behind the backslash"],
  ['{"a": [1, 2', "1:12", "more: [ is never closed"],
  ["{} sk-live-4711", "1:4", "nothing more behind the value"],
  ["", "1:1", "a value"],
  ["[1}", "1:3", "a comma or a closing bracket"],
])("%j is at fault at %s", (text, place, expected) => {
  const fault = findJsonFault(text);
  expect(`${fault?.line}:${fault?.column}`).toBe(place);
  expect(fault?.expected).toContain(expected);
  expect(fault?.expected).not.toContain("4711");
});

test("has a fault exactly where JSON.parse has one, in any text", () => {
  const token = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"',
    "\\",
    "\\u00e9",
    "1",
    "-0.5e+3",
    "01",
    "true",
    "nul",
    " ",
    "\n",
    "\u007f",
    "é",
    "😀",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(token, { maxLength: 12 }).map((parts) => parts.join("")),
        fc.json(),
        fc.string(),
      ),
      (text) => {
        expect(findJsonFault(text) === null).toBe(saysJson(text));
      },
    ),
    { numRuns: 5_000 },
  );
});

test("a body with one character taken out of it is refused with a place inside it", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), (json, at) => {
      const text = json.slice(0, at % json.length) + json.slice((at % json.length) + 1);
      const fault = findJsonFault(text);
      expect(fault === null).toBe(saysJson(text));
      if (fault) expect(fault.column).toBeLessThanOrEqual(text.length + 1);
    }),
    { numRuns: 2_000 },
  );
});
