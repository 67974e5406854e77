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
 * A PostgreSQL of its own for one side, as durable as a real one: `{ url, pids, query(sql), stop
 * }`. It can count statements (`pg_stat_statements`), and does so only between
 * `countStatements(true)` and `(false)`: counting costs a little.
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
  const pid = Number(
    readFileSync(join(rows[0].data_directory, "postmaster.pid"), "utf8").split("\n")[0],
  );
  return {
    url: postgres.url,
    pids: [pid],
    /**
     * @param {string} text
     * @param {unknown[]} [values]
     */
    query: async (text, values) =>
      (await withClient(postgres.url, (client) => client.query(text, values))).rows,
    /** @param {boolean} isOn */
    countStatements: (isOn) =>
      withClient(postgres.url, async (client) => {
        await client.query(
          `ALTER SYSTEM SET pg_stat_statements.track = '${isOn ? "top" : "none"}'`,
        );
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

/**
 * @typedef {{ text: string, calls: number, ms: number }} CountedStatement
 * @typedef {{ calls: number, writes: number, seconds: number, statements: CountedStatement[] }}
 * CountedStatements
 */

/** What the bench itself sends; PostgreSQL's own counting of it would be counted too. */
const OWN = "pg_stat_statements|pg_reload_conf|ALTER SYSTEM|pg_current_snapshot|bench-own";

/**
 * Counts what the service sends while `work` runs: `{ calls, writes, seconds, statements: [{ text,
 * calls, ms }] }`; `writes` are transactions that changed something.
 * @param {BenchDatabase} database
 * @param {() => Promise<unknown>} work
 * @returns {Promise<CountedStatements>}
 */
export async function countedStatements(database, work) {
  await database.countStatements(true);
  await database.query("SELECT pg_stat_statements_reset()");
  const first = await transactionNumber(database);
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const writes = (await transactionNumber(database)) - first;
  const rows = await database.query(
    `SELECT query AS text, sum(calls)::int AS calls, sum(total_exec_time) AS ms
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = current_database() AND query !~* $1 GROUP BY 1 ORDER BY 2 DESC`,
    [OWN],
  );
  await database.countStatements(false);
  return {
    calls: rows.reduce((sum, row) => sum + row.calls, 0),
    writes,
    seconds,
    statements: rows,
  };
}

/**
 * Transactions get numbers when they first write.
 * @param {BenchDatabase} database
 */
async function transactionNumber(database) {
  const [row] = await database.query(
    "SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS number",
  );
  return Number(row.number);
}
