import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { boundMarkdown } from "@/components/markdown/markdown";
import { ParsedMarkdown } from "@/components/markdown/parsed-markdown";
import { expectLinear } from "@/lib/platform/test/expect-linear";

const ATTACKS: Record<string, (size: number) => string> = {
  "quotes inside quotes": (size) => ">".repeat(size),
  "many deep quotes": (size) => `${">".repeat(12)}a\n\n`.repeat(size / 15),
  "lists inside lists on one line": (size) => `${"- ".repeat(12)}a\n`.repeat(size / 26),
  "numbered lists on one line": (size) => `${"1. ".repeat(12)}a\n`.repeat(size / 38),
  "quotes as deep as allowed": (size) => `${">".repeat(6)}a\n\n`.repeat(size / 9),
  "open brackets": (size) => "[a".repeat(size / 2),
  "open images": (size) => "![a](".repeat(size / 5),
  emphasis: (size) => "*a **b ".repeat(size / 7),
  "code marks": (size) =>
    Array.from({ length: Math.sqrt(size * 2) }, (_, index) => "`".repeat(index)).join("a"),
  "a wide table": (size) => `${"|a".repeat(size / 4)}\n${"|-".repeat(size / 4)}\n`,
  addresses: (size) => "a@b.".repeat(size / 4),
  "indented lists": (size) =>
    Array.from({ length: Math.sqrt(size * 2) }, (_, index) => `${" ".repeat(index)}- a`).join("\n"),
  prose: (size) => "plain words and nothing else ".repeat(size / 29),
};

describe("what a stranger wrote", () => {
  // The larger text of the two is about as long as one may be.
  it.each(Object.entries(ATTACKS))(
    "is drawn at a cost that grows with its length alone: %s",
    async (_, textOf) => {
      await expectLinear(7_500, textOf, (text) => {
        const bounded = boundMarkdown(text);
        if (bounded.kind === "markdown")
          renderToStaticMarkup(createElement(ParsedMarkdown, { text: bounded.text }));
      });
    },
  );

  it("is refused as Markdown when it is built to be costly, and an ordinary report is not", () => {
    expect(boundMarkdown(">".repeat(100)).kind).toBe("plain");
    const report =
      "# Sales\n\n> As of **March**\n\n1. North\n   - up *4%*\n" +
      `   - [source](https://example.com)\n\n| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(200)}\n` +
      '---\n```json\n{"a": [1]}\n```\n';
    expect(boundMarkdown(report)).toEqual({ kind: "markdown", text: report, omitted: 0 });
  });

  it("says how much of a long text is left out", () => {
    expect(boundMarkdown("a".repeat(70_000)).omitted).toBe(10_000);
  });

  it("loads nothing and runs nothing", () => {
    const html = renderToStaticMarkup(
      createElement(ParsedMarkdown, {
        text:
          "![pixel](https://example.com/x.png) <img src=x onerror=alert(1)> " +
          "<script>alert(1)</script> [go](javascript:alert(1)) [data](data:text/html,x)",
      }),
    );
    expect(html).not.toMatch(/<img|<script|<link|javascript:|data:/);
    expect(html).toContain("Image: pixel (not loaded)");
  });
});
