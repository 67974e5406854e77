import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** The settings are read once in a process. */
function withSettings() {
  vi.resetModules();
  return import("@/lib/platform/public-base-url");
}

beforeEach(() => {
  vi.stubEnv("PUBLIC_URL", "");
  vi.stubEnv("NEXTAUTH_URL", "");
  vi.stubEnv("PORT", "4321");
});
afterEach(() => vi.unstubAllEnvs());

test("what the operator says wins over the host that was called, PUBLIC_URL first, and ends without a slash", async () => {
  vi.stubEnv("NEXTAUTH_URL", "https://console.example/");
  expect((await withSettings()).publicBaseUrl("called.example")).toBe("https://console.example");
  vi.stubEnv("PUBLIC_URL", "https://lathe.example//");
  const { configuredBaseUrl, publicBaseUrl } = await withSettings();
  expect(publicBaseUrl("called.example")).toBe("https://lathe.example");
  expect(configuredBaseUrl()).toBe("https://lathe.example");
});

test("where nothing is set the host that was called counts, and without a call this machine's own name", async () => {
  const { configuredBaseUrl, publicBaseUrl } = await withSettings();
  expect(configuredBaseUrl()).toBe(null);
  expect(publicBaseUrl("called.example:81")).toBe("http://called.example:81");
  expect(publicBaseUrl()).toBe("http://localhost:4321");
});
