import { fileURLToPath } from "node:url";
import { startDisposablePostgres } from "./disposable-postgres.mjs";
import { migrate } from "./migrate.mjs";

/**
 * vitest's global set-up for the tests on PostgreSQL: one server for the run, its database migrated once and then only cloned
 * (lib/storage/test-database.ts). Its address is provided as `testDatabaseUrl`.
 */
export default async function setup(project) {
  const postgres = await startDisposablePostgres();
  await migrate(postgres.url, { root: fileURLToPath(new URL("../..", import.meta.url)) });
  project.provide("testDatabaseUrl", postgres.url);
  process.env.TEST_DATABASE_URL = postgres.url;
  return () => postgres.stop();
}
