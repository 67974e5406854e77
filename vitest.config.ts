import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Deadlines end what hangs. They are far beyond what a slow and busy machine needs, so that none of
// them ever measures one.
const TEST_TIMEOUT_MS = 240_000;
const POLL_TIMEOUT_MS = 60_000;

const root = fileURLToPath(new URL(".", import.meta.url));
const alias = {
  "@": root.replace(/\/$/, ""),
  // The marker package throws outside a React server bundle; here every file runs on the server.
  "server-only": `${root}scripts/setup/server-only-stub.mjs`,
};

const FOLDERS = ["lib", "components", "app", "scripts", "bench", "clients/typescript"];
/**
 * What a test file changes for whoever comes after it in its process: modules, the environment,
 * time, what there is once a process.
 */
const CHANGES_PROCESS =
  /\bvi\.(?:mock|doMock|stubEnv|stubGlobal|hoisted|resetModules|spyOn|useFakeTimers|setSystemTime)\b|process\.(?:env|on|chdir|exit)\b|globalThis/;
const unitTests = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (path) => /\.test\.(?:tsx?|mjs)$/.test(path) && !/\.db\.test\.ts$|node_modules/.test(path),
    )
    .map((path) => `${folder}/${path}`),
);
const isolated = unitTests.filter((path) =>
  CHANGES_PROCESS.test(readFileSync(join(root, path), "utf8")),
);
// What tests do to accounts is nobody's evidence.
const testEnvironment = { AUDIT_LOG: "off" };
const unit = {
  env: testEnvironment,
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  expect: { poll: { timeout: POLL_TIMEOUT_MS } },
  globalSetup: ["scripts/setup/text-worker-for-tests.ts"],
  // Vitest itself leaves one processor free: on a machine of two, half of it.
  maxWorkers: availableParallelism(),
};

/** `app/(console)/[id]` as it stands there. */
function escapeGlob(path: string): string {
  return path.replace(/[()[\]{}!*?]/g, "\\$&");
}

export default defineConfig({
  // The projects have it too, and with it, as none of them has a Vite of its own, what is compiled.
  resolve: { alias },
  test: {
    // Not package.json, where most of what changes are scripts: another package changes the lock
    // file too.
    forceRerunTriggers: ["**/package-lock.json", "**/vitest.config.ts"],
    projects: [
      {
        test: {
          ...unit,
          name: "unit",
          // Modules are loaded once a process and not once a file, which takes half the time.
          isolate: false,
          sequence: { groupOrder: 0 },
          include: ["{lib,components,app,scripts,bench,clients/typescript}/**/*.test.{ts,tsx,mjs}"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**", ...isolated.map(escapeGlob)],
        },
      },
      {
        test: {
          ...unit,
          name: "unit-isolated",
          sequence: { groupOrder: 1 },
          include: isolated.map(escapeGlob),
        },
      },
      {
        test: {
          name: "db",
          env: testEnvironment,
          sequence: { groupOrder: 2 },
          include: ["lib/**/*.db.test.ts"],
          globalSetup: [
            "scripts/postgres/test-database.ts",
            "scripts/setup/text-worker-for-tests.ts",
          ],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
          // They wait for the database and for pauses as much as they compute.
          maxWorkers: availableParallelism() + 1,
        },
      },
    ],
  },
});
