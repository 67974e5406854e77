import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { startDisposablePostgres } from "./embedded-postgres.mjs";
import { migrate } from "./migrate.mjs";

/**
 * vitest's global set-up for the tests on PostgreSQL: one server for the run, its database migrated
 * once and then only cloned (lib/storage/test-database.ts). Its address is provided as
 * `testDatabaseUrl`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startDisposablePostgres();
  await migrate(postgres.url, { root: fileURLToPath(new URL("../..", import.meta.url)) });
  project.provide("testDatabaseUrl", postgres.url);
  process.env.TEST_DATABASE_URL = postgres.url;
  return () => postgres.stop();
}
