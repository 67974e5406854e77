import { describe, expect, it } from "vitest";
import {
  fitsHostPattern,
  hostsIn,
  hostsInJson,
  isHostPattern,
} from "@/lib/model/agent-config/web-hosts";
import { expectLinear } from "@/lib/platform/test/expect-linear";

describe("hostsIn", () => {
  it.each([
    ["Read https://news.example.com/today.", ["news.example.com"]],
    ["(see http://a.example:8080/x) and [b](https://b.example)", ["a.example:8080", "b.example"]],
    ["Compare example.com/prices with www.shop.example, please.", ["example.com", "shop.example"]],
    ["HTTPS://Example.COM", ["example.com"]],
    ["`https://c.example`", ["c.example"]],
  ])("finds the hosts of %j", (text, hosts) => {
    expect([...hostsIn(text)]).toEqual(hosts);
  });

  it.each([
    "Summarise report.md, notes.py, backup.zip and data.csv.old1",
    "Write to kim@example.com",
    "1.5 of 3.25, and so on...",
    "https://",
    "C:\\files\\x.example",
  ])("takes nothing of %j for a host", (text) => {
    expect([...hostsIn(text)]).toEqual([]);
  });

  it("looks at a long text in time that grows with its length", () => {
    // A run of one kind of character is what would send a careless pattern back and forth.
    for (const piece of ["a.", "a-", "http://", "[", "a@", ".", "x"])
      expect(hostsIn(piece.repeat(100_000)).size).toBeLessThan(3);
  });

  it.each([
    ["an address with a run of dots", (size: number) => `https://a${".".repeat(size)}x`],
    ["a word with a run of dots", (size: number) => `a${".".repeat(size)}x`],
    ["an address with brackets", (size: number) => `https://a${"])".repeat(size)}x`],
    ["labels", (size: number) => `${"a-".repeat(size)}.`],
  ])("costs as much as the text is long: %s", (_title, inputOf) =>
    expectLinear(50_000, inputOf, hostsIn),
  );

  it("looks into every text of a value", () => {
    expect([...hostsInJson({ a: ["https://a.example", 1, null], b: { c: "b.example" } })]).toEqual([
      "a.example",
      "b.example",
    ]);
  });
});

describe("host patterns", () => {
  const fits = (url: string, pattern: string) => fitsHostPattern(new URL(url), pattern);

  it("are hosts, hosts with a port, all hosts below one, or all", () => {
    for (const pattern of ["example.com", "example.com:8443", "*.example.com", "*"])
      expect(isHostPattern(pattern), pattern).toBe(true);
    for (const pattern of [
      "",
      "https://example.com",
      "a*.example.com",
      "*.",
      "example.com/x",
      "**",
    ])
      expect(isHostPattern(pattern), pattern).toBe(false);
  });

  it("stand for just those", () => {
    expect(fits("https://example.com/x", "example.com")).toBe(true);
    expect(fits("https://example.com:8443/x", "example.com")).toBe(false);
    expect(fits("https://example.com:8443/x", "example.com:8443")).toBe(true);
    expect(fits("https://a.example.com", "example.com")).toBe(false);
    expect(fits("https://a.example.com", "*.example.com")).toBe(true);
    expect(fits("https://example.com", "*.example.com")).toBe(false);
    expect(fits("https://evilexample.com", "*.example.com")).toBe(false);
    expect(fits("https://anything.example:81", "*")).toBe(true);
  });
});
