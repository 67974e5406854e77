import { expect, test } from "vitest";
import { toEditorText, withLineEndsOf } from "@/lib/console/agent-edit/use-agent-draft";

test("a text comes back with the line ends that it had throughout", () => {
  for (const text of ["a\r\nb\r\n", "a\nb\n", "a", "", "\r\n"])
    expect(withLineEndsOf(text, toEditorText(text))).toBe(text);
  expect(withLineEndsOf("a\r\nb", "a\nb\nc")).toBe("a\r\nb\r\nc");
});

test("a text of mixed line ends comes back with one kind", () => {
  expect(toEditorText("a\r\nb\rc\nd")).toBe("a\nb\nc\nd");
  expect(withLineEndsOf("a\r\nb\nc", "a\nb\nc")).toBe("a\nb\nc");
});
