/**
 * @typedef {import("./bench-database.mjs").BenchDatabase} BenchDatabase
 * @typedef {{ text: string, calls: number, ms: number }} CountedStatement
 * @typedef {{ calls: number, writes: number, seconds: number, statements: CountedStatement[] }} CountedStatements
 */

/** What the bench itself sends; PostgreSQL's own counting of it would be counted too. */
const OWN = "pg_stat_statements|pg_reload_conf|ALTER SYSTEM|pg_current_snapshot|bench-own";

/**
 * Counts what the service sends while `work` runs: `{ calls, writes, seconds, statements: [{ text, calls, ms }] }`; `writes` are transactions that changed something.
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
    `SELECT query AS text, sum(calls)::int AS calls, sum(total_exec_time) AS ms FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = current_database() AND query !~* $1 GROUP BY 1 ORDER BY 2 DESC`,
    [OWN],
  );
  await database.countStatements(false);
  return { calls: rows.reduce((sum, row) => sum + row.calls, 0), writes, seconds, statements: rows };
}

/**
 * Transactions get numbers when they first write.
 * @param {BenchDatabase} database
 */
async function transactionNumber(database) {
  const [row] = await database.query("SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS number");
  return Number(row.number);
}
