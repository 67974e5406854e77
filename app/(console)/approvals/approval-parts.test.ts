import { expect, it } from "vitest";
import { presentJson } from "@/app/(console)/approvals/approval-parts";

it("writes out every character that would hide something, and stays the same JSON", () => {
  const value = {
    to: "kim@example.com\u202emoc.live",
    note: "a\u200bb\u00adc\u2066d\u{e0041}e\u3164f\u0085",
    lines: "1\n2\t3",
    text: "Grüße 🌍",
  };
  const shown = presentJson(value);
  expect(shown).toContain("kim@example.com\\u202emoc.live");
  expect(shown).toContain("a\\u200bb\\u00adc\\u2066d\\udb40\\udc41e\\u3164f\\u0085");
  expect(shown).toContain("Grüße 🌍");
  expect(shown).not.toMatch(/[\u200b-\u202e\u2066\u3164]/);
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown.split("\n")).toHaveLength(6);
});

it("shows a value that JSON does not know as null", () => {
  expect(presentJson(undefined)).toBe("null");
});
