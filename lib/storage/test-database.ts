import "server-only";
import { randomBytes } from "node:crypto";
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
    drop: () => execute(template, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function execute(template: URL, sql: string): Promise<void> {
  const maintenance = new URL(template);
  maintenance.pathname = "/postgres";
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
