import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce } from "@/lib/model/at-once";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { expectShortSteps } from "@/lib/platform/test/expect-short-steps";
import { htmlToText } from "@/lib/runtime/documents/html-to-text";

const BASE = "https://example.com/a/b";
const read = (html: string) => atOnce(htmlToText(html, BASE));
const textOf = (html: string) => read(html).text;

describe("htmlToText", () => {
  it("keeps what is to be read, with headings, lists, tables, code and absolute links", () => {
    const page = `<!doctype html><html><head><title>A &amp; \
B</title><style>p{}</style></head><body><script>alert("<p>no</p>")</script>
      <h1>Prices</h1><p>Tom &amp; Jerry&#39;s <a \
href="../c?x=1&amp;y=2">offer</a>.</p><ul><li>One<li>Two</ul>
      <table><tr><td>a</td><td>1 &lt; 2</td></tr></table><!-- secret --><pre>x
  y</pre></body></html>`;
    expect(read(page)).toEqual({
      title: "A & B",
      text:
        "# Prices\n\nTom & Jerry's [offer](https://example.com/c?x=1&y=2).\n\n- One\n- Two\n\n" +
        "| a | 1 < 2 |\n\n```\nx\n  y\n```",
    });
  });

  it.each([
    [
      "<ol><li>a</li><li><p>b</p><ul><li>c</li></ul></li><li></li><li>d</ol>e",
      "1. a\n2. b\n  - c\n4. d\n\ne",
    ],
    [
      "<table><thead><tr><th>k</th><th>v</th></tr></thead><tr><td><p>a</p></td><td><div>1</div>" +
        "</td></tr></table>",
      "| k | v |\n| --- | --- |\n| a | 1 |",
    ],
    ["<table><tr><td>a<td><td>b<tr><td>c</table>d", "| a | | b |\n| c |\n\nd"],
    ["<tr></tr><table><tr><td></td></tr></table>x", "x"],
    [
      '<a href="/p"><h3>Title</h3></a><a href="/q"><img></a> <a href="/r"> r</a>',
      "### [Title](https://example.com/p)\n\n[r](https://example.com/r)",
    ],
    ["Call <code>f( x )</code>, <code></code>or <kbd>Ctrl</kbd>.", "Call `f( x )`, or `Ctrl`."],
    [
      "<pre>\n<code>if (a &lt; b)\n    f();</code></pre>then",
      "```\nif (a < b)\n    f();\n```\n\nthen",
    ],
    ["<div>a</div><div>b<br>c<br><br>d</div><p>e</p><hr>f", "a\nb\nc\n\nd\n\ne\n\nf"],
    ["a <b>b</b>\n <i> c</i>d&nbsp;e so&shy;ft", "a b cd e soft"],
    [
      "&CounterClockwiseContourIntegral; &NotEqualTilde; &frac12; &notit; &AMP &copy2026",
      "∳ ≂̸ ½ ¬it; & ©2026",
    ],
    [
      "a<svg><title>no</title></svg>b<svg/>c<template>d</template>e<textarea><p>no</textarea>",
      "abce",
    ],
    ["a <![CDATA[ b ]]> c <?php d ?> e <!doctype f> g", "a c e g"],
  ])("writes %s as Markdown", (html, expected) => {
    expect(textOf(html)).toBe(expected);
  });

  it("shows no link that leads anywhere but to the web, and none within the page", () => {
    expect(
      textOf(
        '<a href="javascript:alert(1)">x</a> <a href="#top">y</a> <a>z</a> <a ' +
          "href=data:text/html,x>w</a>",
      ),
    ).toBe("x y z w");
    expect(
      textOf(
        `<a href="/${"x".repeat(3_000)}">x</a> <p href="/q">y</p> <a title=">" ` +
          "HREF='/z&quot;'>z</a>",
      ),
    ).toBe("x\n\ny\n\n[z](https://example.com/z%22)");
  });

  it("takes an element that never ends, and text that is no markup", () => {
    expect(textOf("a <script> b </scrip> c")).toBe("a");
    expect(textOf("1 < 2 and 3 <4")).toBe("1 < 2 and 3 <4");
    expect(textOf("&#xD800;&#0;&bogus;&constructor;")).toBe("\ufffd\ufffd&bogus;&constructor;");
  });

  const MARKUP = (
    "< > </ a b script !-- --> &amp &#x9; pre p li ul td tr h2 code title / = <a/href=/x> </a> " +
    "<pre> </pre> <td> <tr> <li> 😀"
  ).split(" ");
  const page = fc.array(fc.constantFrom(...MARKUP, " href='", "'", '"', "\n", " "), {
    maxLength: 60,
  });

  it("reads a page that ends within an end tag", () => {
    expect(textOf("a</script href='😀").isWellFormed()).toBe(true);
  });

  it("reads any text without a fault", () => {
    fc.assert(
      fc.property(page, (parts) => {
        expect(textOf(parts.join("")).isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("reads a page to the same text wherever its slices are cut", () => {
    fc.assert(
      fc.property(page, fc.nat(40), (parts, shift) => {
        const html = parts.join("");
        expect(textOf(`${" ".repeat(16_384 - shift)}${html}`)).toBe(textOf(` ${html}`));
      }),
      { numRuns: 500 },
    );
  });

  const HOSTILE =
    "< <a|href=' <!-- <script> <a|href=x> &# </ <li> <a|| | <div> <b> </p> <table><tr><td> " +
    "<ul><li>x <td><a|href=x></a> <pre>x <code>x</code> <p>&amp; <svg> xxxxxxx <x <i><b></i> " +
    "<title>x </a> <h1> ]]> <!";
  it.each(HOSTILE.split(" ").map((piece) => piece.replaceAll("|", " ")))(
    "needs time that grows with the length alone, and short steps, for %j over and over",
    async (piece) => {
      await expectLinear(125_000, (size) => piece.repeat(size / piece.length), read);
      expectShortSteps(() => htmlToText(piece.repeat(2_097_152 / piece.length), BASE));
    },
  );
});
