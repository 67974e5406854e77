import { expect, test } from "vitest";
import { structuredAnswer } from "./answer";

test("an answer of JSON is indented once it is whole, and shown as it comes until then", () => {
  expect(structuredAnswer('{"total":3,"notes":["a"]}\n', false)).toBe(
    '{\n  "total": 3,\n  "notes": [\n    "a"\n  ]\n}',
  );
  expect(structuredAnswer('{ "total": 3, "no', true)).toBe('{ "total": 3, "no');
});

test("prose stays a page, also where it begins with a bracket or breaks off", () => {
  for (const text of [
    "Done.",
    "[the report](https://example.com)",
    "{name} is a placeholder",
    '{"total": 3, "no',
    "42",
    '"quoted"',
  ])
    expect(structuredAnswer(text, false), text).toBeNull();
  expect(structuredAnswer("[the report", true)).toBeNull();
});
