import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));
const alias = {
  "@": root.replace(/\/$/, ""),
  // The marker package throws outside a React server bundle; here every file runs on the server.
  "server-only": `${root}scripts/lib/server-only-stub.mjs`,
};

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          // Some tests start processes or search long; a busy machine must not fail them.
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
          include: ["{lib,components,app,scripts}/**/*.test.{ts,tsx,mjs}"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
        },
      },
      {
        resolve: { alias },
        test: {
          name: "db",
          sequence: { groupOrder: 1 },
          include: ["lib/**/*.db.test.ts"],
          globalSetup: ["scripts/lib/test-database.mjs"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
