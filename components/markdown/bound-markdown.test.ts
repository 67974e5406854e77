import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { boundMarkdown } from "@/components/markdown/bound-markdown";
import { ParsedMarkdown } from "@/components/markdown/parsed-markdown";

const ATTACKS: Record<string, string> = {
  "quotes inside quotes": ">".repeat(100_000),
  "many deep quotes": `${">".repeat(12)}a\n\n`.repeat(4000),
  "lists inside lists on one line": `${"- ".repeat(12)}a\n`.repeat(4000),
  "numbered lists on one line": `${"1. ".repeat(12)}a\n`.repeat(4000),
  "quotes as deep as allowed": `${">".repeat(6)}a\n\n`.repeat(9000),
  "open brackets": "[a".repeat(30_000),
  "open images": "![a](".repeat(12_000),
  emphasis: "*a **b ".repeat(8000),
  "code marks": Array.from({ length: 400 }, (_, index) => "`".repeat(index)).join("a"),
  "a wide table": `${"|a".repeat(9000)}\n${"|-".repeat(9000)}\n`,
  addresses: "a@b.".repeat(20_000),
  "indented lists": Array.from({ length: 400 }, (_, index) => `${" ".repeat(index)}- a`).join("\n"),
  prose: "plain words and nothing else ".repeat(4000),
};

describe("what a stranger wrote", () => {
  it.each(Object.entries(ATTACKS))("is drawn in under two seconds: %s", (_, text) => {
    const start = performance.now();
    const bounded = boundMarkdown(text);
    if (bounded.kind === "markdown") renderToStaticMarkup(createElement(ParsedMarkdown, { text: bounded.text }));
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("is refused as Markdown when it is built to be costly, and an ordinary report is not", () => {
    expect(boundMarkdown(">".repeat(100)).kind).toBe("plain");
    const report = `# Sales\n\n> As of **March**\n\n1. North\n   - up *4%*\n   - [source](https://example.com)\n\n| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(200)}\n---\n\`\`\`json\n{"a": [1]}\n\`\`\`\n`;
    expect(boundMarkdown(report)).toEqual({ kind: "markdown", text: report, omitted: 0 });
  });

  it("says how much of a long text is left out", () => {
    expect(boundMarkdown("a".repeat(70_000)).omitted).toBe(10_000);
  });

  it("loads nothing and runs nothing", () => {
    const html = renderToStaticMarkup(
      createElement(ParsedMarkdown, {
        text: "![pixel](https://example.com/x.png) <img src=x onerror=alert(1)> <script>alert(1)</script> [go](javascript:alert(1)) [data](data:text/html,x)",
      }),
    );
    expect(html).not.toMatch(/<img|<script|<link|javascript:|data:/);
    expect(html).toContain("Image: pixel (not loaded)");
  });
});
