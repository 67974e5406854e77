import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Deadlines end what hangs. They are far beyond what a slow and busy machine needs, so that none of them ever measures one.
const TEST_TIMEOUT_MS = 240_000;
const POLL_TIMEOUT_MS = 60_000;

const root = fileURLToPath(new URL(".", import.meta.url));
const alias = {
  "@": root.replace(/\/$/, ""),
  // The marker package throws outside a React server bundle; here every file runs on the server.
  "server-only": `${root}scripts/setup/server-only-stub.mjs`,
};

export default defineConfig({
  resolve: { alias },
  test: {
    // Not package.json, where most of what changes are scripts: another package changes the lock file too.
    forceRerunTriggers: ["**/package-lock.json", "**/vitest.config.ts"],
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
          // Vitest itself leaves one processor free: on a machine of two, half of it.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
          include: ["{lib,components,app,scripts,bench}/**/*.test.{ts,tsx,mjs}"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
        },
      },
      {
        resolve: { alias },
        test: {
          name: "db",
          sequence: { groupOrder: 1 },
          include: ["lib/**/*.db.test.ts"],
          globalSetup: ["scripts/postgres/test-database.ts"],
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
