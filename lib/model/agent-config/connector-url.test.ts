import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkConnectorUrl, fillConnectorUrl } from "@/lib/model/agent-config/connector-url";

describe("checkConnectorUrl", () => {
  it.each([
    "https://example.com",
    "http://example.com:8080/a/{id}/b?x=1",
    "https://example.com/{a}{b}",
    "https://example.com/a-{b}.json",
    "HTTPS://EXAMPLE.com/",
    "https://[::1]/a",
  ])("takes %s", (url) => {
    expect(checkConnectorUrl(url, true)).toBe(null);
  });

  it.each([
    "",
    "ftp://example.com/",
    "example.com/a",
    "//example.com/a",
    "javascript:alert(1)",
    "https://",
    "https:///a",
    "https://user@example.com/",
    "https://user:pw@example.com/",
    "https://@example.com/",
    "https://example.com\\@evil.example/",
    "https://exa mple.com/",
    "https://example.com/a\nb",
    "https://example.com/#a",
    "https://{host}/a",
    "https://{host}.example.com/a",
    "https://example.com/?q={q}",
    "https://example.com?q={q}",
    "https://example.com/{",
    "https://example.com/{}",
    "https://example.com/{a b}",
    "https://example.com/{{a}}",
    "https://example.com:99999/",
    `https://example.com/${"a".repeat(2_048)}`,
  ])("refuses %j", (url) => {
    expect(checkConnectorUrl(url, true)).not.toBe(null);
  });

  it("refuses places where none may stand", () => {
    expect(checkConnectorUrl("https://example.com/{a}", false)).not.toBe(null);
  });
});

describe("fillConnectorUrl", () => {
  const fill = (template: string, args: Parameters<typeof fillConnectorUrl>[1], toQuery = true) => {
    const filled = fillConnectorUrl(template, args, toQuery);
    return filled.ok ? [filled.url.href, filled.rest] : filled.message;
  };

  it("encodes values into their places, the rest as the query or for the body", () => {
    expect(
      fill("https://example.com/{id}/x?v=1", {
        id: "a/b?c#d é",
        q: ["x", 1],
        flag: true,
        none: null,
        deep: { a: 1 },
      }),
    ).toEqual([
      "https://example.com/a%2Fb%3Fc%23d%20%C3%A9/x?v=1&q=x&q=1&flag=true&deep=%7B%22a%22%3A1%7D",
      {},
    ]);
    expect(fill("https://example.com/{id}/{id}", { id: 7, name: "x" }, false)).toEqual([
      "https://example.com/7/7",
      { name: "x" },
    ]);
    expect(fill("https://example.com/{a}", { a: "$&{a}" }, false)).toEqual([
      "https://example.com/%24%26%7Ba%7D",
      {},
    ]);
  });

  it.each([
    [{}],
    [{ id: null }],
    [{ id: "" }],
    [{ id: {} }],
    [{ id: ["a"] }],
    [{ id: ".." }],
    [{ id: "." }],
    [{ id: "\ud800" }],
  ])("refuses %j", (args) => {
    expect(fill("https://example.com/users/{id}/keys", args)).toEqual(expect.any(String));
  });

  it.each(["account", "Account", "account[]", "account[0]", " account"])(
    "refuses %j, which would repeat a key of the address",
    (name) => {
      expect(fill("https://example.com/find?account=me", { [name]: "other", q: "x" })).toContain(
        "sets",
      );
      expect(fill("https://example.com/find?account=me", { [name]: "other" }, false)).toEqual([
        "https://example.com/find?account=me",
        { [name]: "other" },
      ]);
    },
  );

  it("never leaves the place that the template names, whatever the arguments", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        ".",
        "..",
        "%2e%2e",
        "/",
        "\\",
        "//evil.example",
        "?",
        "#",
        "@",
        "\t..",
        "..;",
      ),
    );
    fc.assert(
      fc.property(part, part, (a, b) => {
        const filled = fillConnectorUrl("https://example.com/v1/{a}{b}/end", { a, b }, false);
        if (!filled.ok) return;
        expect(filled.url.origin).toBe("https://example.com");
        expect(filled.url.pathname.split("/")).toHaveLength(4);
        expect(filled.url.pathname).toMatch(/^\/v1\/[^/]+\/end$/);
        expect(filled.url.search + filled.url.hash).toBe("");
      }),
      { numRuns: 2_000 },
    );
  });
});
