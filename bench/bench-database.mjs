import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../scripts/postgres/embedded-postgres.mjs";

/**
 * @typedef {import("../scripts/setup/run-script.mjs").Shutdown} Shutdown
 * @typedef {Awaited<ReturnType<typeof openBenchDatabase>>} BenchDatabase
 */

/**
 * A PostgreSQL of its own for one side, as durable as a real one: `{ url, pids, query(sql), stop }`. It can count statements (`pg_stat_statements`), and does so only
 * between `countStatements(true)` and `(false)`: counting costs a little.
 * @param {Shutdown} shutdown
 */
export async function openBenchDatabase(shutdown) {
  const folder = mkdtempSync(join(tmpdir(), "lathe-bench-database-"));
  shutdown.add(() => rmSync(folder, { recursive: true, force: true }));
  const first = await startPostgres(folder);
  await withClient(first.url, async (client) => {
    await client.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
    await client.query("ALTER SYSTEM SET pg_stat_statements.track = 'none'");
  });
  await first.stop();
  const postgres = await startPostgres(folder);
  shutdown.add(() => postgres.stop());
  const { rows } = await withClient(postgres.url, async (client) => {
    await client.query("CREATE EXTENSION pg_stat_statements");
    return client.query("SHOW data_directory");
  });
  const pid = Number(readFileSync(join(rows[0].data_directory, "postmaster.pid"), "utf8").split("\n")[0]);
  return {
    url: postgres.url,
    pids: [pid],
    /**
     * @param {string} text
     * @param {unknown[]} [values]
     */
    query: async (text, values) => (await withClient(postgres.url, (client) => client.query(text, values))).rows,
    /** @param {boolean} isOn */
    countStatements: (isOn) =>
      withClient(postgres.url, async (client) => {
        await client.query(`ALTER SYSTEM SET pg_stat_statements.track = '${isOn ? "top" : "none"}'`);
        await client.query("SELECT pg_reload_conf()");
      }),
  };
}

/**
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 */
async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Statements of the bench itself are told apart by this: see statements.mjs.
    return await work(client);
  } finally {
    await client.end();
  }
}
