import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { htmlToText } from "./html-to-text";

const BASE = "https://example.com/a/b";

describe("htmlToText", () => {
  it("keeps what is to be read, with headings, lists, tables and absolute links", () => {
    const page = `<!doctype html><html><head><title>A &amp; B</title><style>p{}</style></head><body><script>alert("<p>no</p>")</script>
      <h1>Prices</h1><p>Tom &amp; Jerry&#39;s <a href="../c?x=1&amp;y=2">offer</a>.</p><ul><li>One<li>Two</ul>
      <table><tr><td>a</td><td>1 &lt; 2</td></tr></table><!-- secret --><pre>x
  y</pre></body></html>`;
    expect(htmlToText(page, BASE)).toEqual({
      title: "A & B",
      text: "# Prices\n\nTom & Jerry's [offer](https://example.com/c?x=1&y=2).\n\n- One\n- Two\n\n| a | 1 < 2\n\nx\ny",
    });
  });

  it("shows no link that leads anywhere but to the web, and none within the page", () => {
    expect(htmlToText('<a href="javascript:alert(1)">x</a> <a href="#top">y</a> <a>z</a> <a href=data:text/html,x>w</a>', BASE).text).toBe(
      "x y z w",
    );
  });

  it("takes an element that never ends, and text that is no markup", () => {
    expect(htmlToText("a <script> b </scrip> c", BASE).text).toBe("a");
    expect(htmlToText("1 < 2 and 3 <4", BASE).text).toBe("1 < 2 and 3 <4");
    expect(htmlToText("&#xD800;&#0;&bogus;&constructor;", BASE).text).toBe("\ufffd\ufffd&bogus;&constructor;");
  });

  it("reads any text without a fault", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("<", ">", "</", "a", "script", "!--", "-->", " href='", "'", '"', "&#", "x9;", "pre", "\n", "/", "title"),
          { maxLength: 60 },
        ),
        (parts) => {
          expect(typeof htmlToText(parts.join(""), BASE).text).toBe("string");
        },
      ),
    );
  });

  it.each(["<", "<a href='", "<!--", "<script>", "<a href=x>", "&#", "</", "<li>", "<a \t", " "])(
    "needs time that grows with the length alone, for %j over and over",
    async (piece) => {
      await expectLinear(
        125_000,
        (size) => piece.repeat(size / piece.length),
        (html) => htmlToText(html, BASE),
      );
    },
  );
});
