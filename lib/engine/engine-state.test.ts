import { expect, test } from "vitest";
import { engineMode, requireEngineSettings } from "@/lib/engine/engine-state";
import { withService } from "@/lib/platform/test/test-service";

/** The mode with these settings, or why the service does not start with them. */
function startWith(settings: Record<string, string>): Promise<string> {
  return withService(settings, () => {
    try {
      requireEngineSettings();
      return engineMode();
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : "?";
    }
  });
}

const KEYS = { INNGEST_EVENT_KEY: "e", INNGEST_SIGNING_KEY: "s" };

test("without Inngest's settings the embedded executor works, with both keys it", async () => {
  expect(await startWith({})).toBe("embedded");
  expect(await startWith({ INNGEST_DEV: "0" })).toBe("embedded");
  expect(await startWith(KEYS)).toBe("server");
  expect(await startWith({ ...KEYS, INNGEST_BASE_URL: "https://inngest.example.com" })).toBe(
    "server",
  );
});

test("half of the settings refuse the start by a sentence that names the rest", async () => {
  expect(await startWith({ INNGEST_EVENT_KEY: "e" })).toMatch(
    /^SettingsError: INNGEST_EVENT_KEY is set.* INNGEST_SIGNING_KEY too;[^.]*\.$/,
  );
  expect(await startWith({ INNGEST_SIGNING_KEY: "s" })).toMatch(
    /^SettingsError: INNGEST_SIGNING_KEY is set.* INNGEST_EVENT_KEY too/,
  );
  expect(await startWith({ INNGEST_BASE_URL: "http://127.0.0.1:8288" })).toMatch(
    /INNGEST_BASE_URL is set.* INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY too/,
  );
  expect(await startWith({ INNGEST_EVENT_KEY: "e", INNGEST_BASE_URL: "http://x" })).toMatch(
    /INNGEST_EVENT_KEY and INNGEST_BASE_URL are set/,
  );
});

test("a server that signs nothing is taken on this machine only, keys or not", async () => {
  for (const address of ["http://127.0.0.1:8288", "http://localhost:8288", "http://[::1]:8288"])
    expect(await startWith({ INNGEST_DEV: "1", INNGEST_BASE_URL: address })).toBe("server");
  expect(await startWith({ INNGEST_DEV: "http://localhost:8288" })).toBe("server");
  const notHere: Record<string, string>[] = [
    { INNGEST_DEV: "1" },
    { INNGEST_DEV: "true", ...KEYS },
    { INNGEST_DEV: "1", INNGEST_BASE_URL: "http://127.0.0.1.example.com" },
  ];
  for (const settings of notHere)
    expect(await startWith(settings)).toMatch(
      /^SettingsError: INNGEST_DEV=1 takes calls without a signature/,
    );
});
