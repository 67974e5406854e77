import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig, devices } from "@playwright/test";

const chromium =
  process.env.PLAYWRIGHT_CHROMIUM_PATH ||
  ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable"].find((path) =>
    existsSync(path),
  );
const isRoot = process.getuid?.() === 0;
// Deadlines end what hangs. They are far beyond what a slow and busy machine needs, so that none of
// them ever measures one.
const TEST_TIMEOUT_MS = 300_000;
const EXPECT_TIMEOUT_MS = 60_000;
// Pages are drawn by the processor: without a GPU to imitate, that is one process and one copy of
// each frame less.
const BROWSER_ARGS = [
  "--disable-gpu",
  "--disable-gpu-compositing",
  "--disable-software-rasterizer",
];
const PROCESSORS = availableParallelism();
const DESKTOP_PX = { width: 1440, height: 900 };
const PHONE_PX = { width: 360, height: 780 };

export default defineConfig({
  testDir: "e2e",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Console tests keep a processor busy each, so there are no more of them at once than processors;
  // beside them run two of the others, which wait more than they compute.
  workers: Number(process.env.E2E_WORKERS ?? PROCESSORS + 2),
  timeout: TEST_TIMEOUT_MS,
  expect: { timeout: EXPECT_TIMEOUT_MS },
  reporter: process.env.CI ? [["list"], ["html", { open: "never" }]] : "list",
  globalSetup: "./e2e/support/global-setup.ts",
  use: {
    // Recording costs a third of a console test's time: `npm test` goes without, a run of named
    // files has it.
    trace: process.env.E2E_TRACE === "off" ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      args: BROWSER_ARGS,
      ...(chromium ? { executablePath: chromium } : {}),
      ...(isRoot ? { chromiumSandbox: false } : {}),
    },
  },
  projects: [
    {
      name: "console",
      testMatch: "console/**/*.spec.ts",
      testIgnore: "**/*.mobile.spec.ts",
      workers: PROCESSORS,
      use: { ...devices["Desktop Chrome"], viewport: DESKTOP_PX },
    },
    { name: "support", testMatch: "support/**/*.spec.ts" },
    { name: "api", testMatch: "api/**/*.spec.ts" },
    // One world for the whole folder: what its last file looks for is what all of them had said,
    // written and sent.
    { name: "safety", testMatch: "**/e2e/safety/**/*.spec.ts", workers: 1, fullyParallel: false },
    // Times: measured by a command of its own, on a machine that has nothing else to do
    // (CONTRIBUTING.md).
    ...(process.env.E2E_BENCH ? [{ name: "bench", testMatch: "bench/**/*.spec.ts" }] : []),
    // What it stands when its surroundings break. All of it takes long and wants the machine to
    // itself: `npm run test:faults`.
    {
      name: "faults",
      testMatch: "**/e2e/faults/**/*.spec.ts",
      ...(process.env.E2E_FAULTS ? {} : { grep: /@short/ }),
    },
    {
      name: "mobile",
      testMatch: "console/**/*.mobile.spec.ts",
      use: { ...devices["Pixel 7"], viewport: PHONE_PX },
    },
  ],
});
