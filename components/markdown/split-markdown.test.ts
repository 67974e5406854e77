import { expect, it } from "vitest";
import { splitMarkdown } from "@/components/markdown/markdown";

it("cuts at blank lines, and what is joined again is the text", () => {
  expect(splitMarkdown("# A\n\nb\nc\n\nd")).toEqual(["# A", "b\nc", "d"]);
});

it("keeps a code block whole, blank lines, other fences and all", () => {
  const code = "```ts\na\n\n~~~\n\nb\n```";
  expect(splitMarkdown(`x\n\n${code}\n\ny`)).toEqual(["x", code, "y"]);
});

it("keeps everything after a fence that is still open in one piece", () => {
  expect(splitMarkdown("x\n\n```\na\n\nb")).toEqual(["x", "```\na\n\nb"]);
});

it("does not take a line of inline code for a fence", () => {
  expect(splitMarkdown("```a``` b\n\nc")).toEqual(["```a``` b", "c"]);
});
