import { describe, expect, it } from "vitest";
import { allowedHostText, readAllowedHost, travelProblem } from "@/lib/model/secret/allowed-host";

const spelling = (text: string) => {
  const read = readAllowedHost(text);
  return read && allowedHostText(read);
};

describe("readAllowedHost", () => {
  it.each([
    ["api.example.com", "api.example.com"],
    ["API.Example.com:8443", "api.example.com:8443"],
    ["127.0.0.1:9", "127.0.0.1:9"],
    ["[::1]:8080", "[::1]:8080"],
    ["[::1]", "[::1]"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["example.com:80", "example.com:80"],
  ])("takes %s", (text, expected) => {
    expect(spelling(text)).toBe(expected);
  });

  it.each([
    "",
    "https://example.com",
    "example.com/",
    "example.com/path",
    "user@example.com",
    "*.example.com",
    "example.com:0",
    "example.com:65536",
    "example.com:",
    "a b",
    "example.com?x",
    "example.com#x",
    "::1",
    "[::zz]",
    "a\\b",
    "%65xample.com",
    "example.com\n",
  ])("refuses %j", (text) => {
    expect(readAllowedHost(text)).toBeNull();
  });
});

describe("travelProblem", () => {
  const CONNECTOR = "https://api.example.com/x/{id}";
  const may = (url: string, allowedHosts: string[], isExempt = false, connectorUrl = CONNECTOR) =>
    travelProblem(new URL(url), { allowedHosts, connectorUrl, isExempt }) === null;

  it("lets a secret without hosts go to its connector's origin alone", () => {
    expect(may("https://api.example.com/x/1", [])).toBe(true);
    expect(may("https://api.example.com:8443/x/1", [])).toBe(false);
    expect(may("http://api.example.com/x/1", [])).toBe(false);
    expect(may("https://evil.example.com/x/1", [])).toBe(false);
  });

  it("lets a secret with hosts go to them alone, not to its connector", () => {
    expect(may("https://api.example.com/x", ["crm.example.com"])).toBe(false);
    expect(may("https://crm.example.com/x", ["crm.example.com"])).toBe(true);
    expect(may("https://sub.crm.example.com/x", ["crm.example.com"])).toBe(false);
  });

  it("takes a host without a port for the usual one, and one with a port for that", () => {
    expect(may("https://crm.example.com:8443/x", ["crm.example.com"])).toBe(false);
    expect(may("https://crm.example.com:8443/x", ["crm.example.com:8443"])).toBe(true);
    expect(may("https://crm.example.com/x", ["crm.example.com:443"])).toBe(true);
    expect(may("https://crm.example.com:8443/x", ["crm.example.com:443"])).toBe(false);
  });

  it("lets nothing go over plain http but to a target that the operator exempted", () => {
    for (const hosts of [["crm.example.com"], ["crm.example.com:80"], []]) {
      expect(may("http://crm.example.com/x", hosts, false, "http://crm.example.com/x")).toBe(false);
      expect(may("http://crm.example.com/x", hosts, true, "http://crm.example.com/x")).toBe(true);
    }
    expect(may("http://evil.example.com/x", ["crm.example.com"], true)).toBe(false);
  });
});
