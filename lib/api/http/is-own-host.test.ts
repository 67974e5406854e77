import { expect, test } from "vitest";
import { isOwnHost } from "@/lib/api/http/request";

test("without settings every host is open", () => {
  expect(isOwnHost("localhost:3000", "", "")).toBe(true);
});

test("a surface with a host of its own is open on it only, in any case, port or dot", () => {
  for (const host of [
    "api.example.com",
    "API.example.com",
    "api.example.com:8443",
    "api.example.com.",
    "api.example.com.:443",
  ])
    expect(isOwnHost(host, "api.example.com", "apps.example.com")).toBe(true);
  for (const host of [
    "apps.example.com",
    "example.com",
    "xapi.example.com",
    "api.example.com.evil.test",
    "",
    "api.example.com@evil.test",
  ])
    expect(isOwnHost(host, "api.example.com", "apps.example.com")).toBe(false);
});

test("a setting with a port fits that port only", () => {
  expect(isOwnHost("localhost:3000", "localhost:3000", "")).toBe(true);
  expect(isOwnHost("localhost:3001", "localhost:3000", "")).toBe(false);
  expect(isOwnHost("localhost", "localhost:3000", "")).toBe(false);
});

test("a surface without a host of its own is closed on the other surface's host", () => {
  expect(isOwnHost("apps.example.com", "", "apps.example.com")).toBe(false);
  expect(isOwnHost("api.example.com", "", "apps.example.com")).toBe(true);
});

test("both surfaces may share one host", () => {
  expect(isOwnHost("one.example.com", "one.example.com", "one.example.com")).toBe(true);
});
