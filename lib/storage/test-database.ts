import "server-only";
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    testDatabaseUrl: string;
  }
}

/**
 * A migrated, empty database of its own for one test file; `drop()` removes it, whoever is still
 * connected.
 * Works only under vitest's `db` project, whose global set-up starts the server.
 */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const template = new URL(inject("testDatabaseUrl"));
  const name = `test_${randomBytes(8).toString("hex")}`;
  // A database can be cloned only while nobody is connected to it.
  const clone = `CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)}`;
  await execute(template, clone);
  const url = new URL(template);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => drop(template, name),
  };
}

/** How long connections that a test has just ended may take until the server has let go of them. */
const LEAVE_MAX_MS = 500;
const LOOK_MS = 10;

/**
 * A connection that is cut while it says goodbye is an error that nobody awaits, and fails whatever
 * test is at work by then. So those that are about to end may do so first.
 */
async function drop(template: URL, name: string): Promise<void> {
  await withMaintenance(template, async (client) => {
    const until = performance.now() + LEAVE_MAX_MS;
    const isUsed = async () =>
      (await client.query("SELECT 1 FROM pg_stat_activity WHERE datname = $1 LIMIT 1", [name]))
        .rowCount !== 0;
    while ((await isUsed()) && performance.now() < until) await delay(LOOK_MS);
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

function execute(template: URL, sql: string): Promise<unknown> {
  return withMaintenance(template, (client) => client.query(sql));
}

async function withMaintenance<T>(
  template: URL,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const maintenance = new URL(template);
  maintenance.pathname = "/postgres";
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
