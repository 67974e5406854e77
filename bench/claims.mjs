import "../scripts/setup/on-supported-node.mjs";

import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { deployDatabase } from "../scripts/setup/open-database.mjs";
import { prepare } from "../scripts/setup/prepare.mjs";
import { print, progress } from "../scripts/setup/progress.mjs";
import { runScript } from "../scripts/setup/run-script.mjs";
import { openBenchDatabase } from "./bench-database.mjs";

/**
 * `node bench/claims.mjs [--seconds N] [--rounds N]`: what a claim of the embedded executor takes
 * with a hundred, a thousand and ten thousand runs at work, by turns on one database: twenty
 * processes, each of which asks for four runs four times a second while five thousand wait. Beside
 * them one account is full, and waits in front: what stands behind it must not be read.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const AT_WORK = [100, 1_000, 10_000];
const PROCESSES = 20;
const EVERY_MS = 250;
const FREE = 4;
/** Of one key; each that has runs at work has half as many. */
const LIMIT = 100;
const WAITING = { runs: 5_000, keys: 200 };
const LANE = "bench";
const FUNCTION = "bench-run";

await runScript(async (shutdown) => {
  const { values } = parseArgs({
    options: { seconds: { type: "string" }, rounds: { type: "string" } },
  });
  const seconds = Number(values.seconds ?? 10);
  const rounds = Number(values.rounds ?? 3);
  await prepare({ root: ROOT, build: false });
  const database = await openBenchDatabase(shutdown);
  await deployDatabase(database.url, ROOT);
  const pool = new pg.Pool({ connectionString: database.url, max: PROCESSES });
  // Connections of a pool end behind the answer of `end`: the database may be stopped first.
  pool.on("error", () => {});
  /** @type {Map<number, number[]>} */
  const times = new Map(AT_WORK.map((count) => [count, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const count of round % 2 === 0 ? AT_WORK : AT_WORK.toReversed()) {
      await progress(`Round ${round + 1}: ${count} at work`, async () => {
        await fill(pool, count);
        times.get(count)?.push(...(await claims(pool, seconds)));
      });
    }
  print(`\n| runs at work | claims | p50, ms | p99, ms |\n| ---: | ---: | ---: | ---: |`);
  for (const [count, all] of times) {
    const sorted = all.toSorted((a, b) => a - b);
    /** @param {number} share */
    const at = (share) =>
      (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2);
    print(`| ${count} | ${sorted.length} | ${at(0.5)} | ${at(0.99)} |`);
  }
  await pool.end();
  await shutdown.run();
  process.exit(0);
});

/**
 * @param {pg.Pool} pool
 * @param {number} count how many runs are at work
 */
async function fill(pool, count) {
  await pool.query("TRUNCATE engine_runs, engine_events, engine_lanes CASCADE");
  const keys = Math.max(1, Math.round(count / (LIMIT / 2)));
  await insert(pool, count, "'busy-' || n % $3", keys, "1, false");
  await insert(pool, WAITING.runs, "'waiting-' || n % $3", WAITING.keys, "NULL, true");
  // One key at its limit, with as many more in front of all.
  await insert(pool, LIMIT, "'full' || left($3::text, 0)", 1, "1, false");
  await insert(pool, LIMIT, "'full' || left($3::text, 0)", 1, "NULL, true", -1);
  await pool.query("ANALYZE engine_runs, engine_events");
}

/**
 * @param {pg.Pool} pool
 * @param {number} runs
 * @param {string} key of number n, SQL
 * @param {number} keys `$3`
 * @param {string} state owner and queued, SQL
 * @param {number} [turn] in place of the number's
 */
async function insert(pool, runs, key, keys, state, turn) {
  await pool.query(
    `WITH made AS (
       SELECT gen_random_uuid() AS id, n, ${key} AS key FROM generate_series(1, $1::int) n
     ), events AS (
       INSERT INTO engine_events (id, name, data, routed_at)
       SELECT id::text, 'bench/run', '{}', now() FROM made
     )
     INSERT INTO engine_runs (id, function_id, event_id, lane, key, turn, owner, queued)
     SELECT id, $2, id::text, '${LANE}', key, coalesce($4::bigint, n), ${state} FROM made`,
    [runs, FUNCTION, keys, turn ?? null],
  );
}

/**
 * What the claims took, each until its commit, in milliseconds. What was claimed waits again at
 * once, in the last turn: neither the runs at work nor those that wait become more or fewer.
 * @param {pg.Pool} pool
 * @param {number} seconds
 */
async function claims(pool, seconds) {
  /** @type {number[]} */
  const taken = [];
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: PROCESSES }, async (_, index) => {
      const connection = await pool.connect();
      await delay((EVERY_MS * index) / PROCESSES);
      while (performance.now() < until) {
        const began = performance.now();
        const { rows } = await connection.query(
          "SELECT * FROM engine_claim($1, $2, $3, ARRAY[ROW($4, $5, NULL)::function_limit])",
          [LANE, index + 2, FREE, FUNCTION, LIMIT],
        );
        const ms = performance.now() - began;
        taken.push(ms);
        const ids = rows.map(({ id }) => id).filter(Boolean);
        if (ids.length < FREE) throw new Error(`A claim found ${ids.length} runs.`);
        await connection.query(
          `UPDATE engine_runs SET owner = NULL, queued = true, since = now(),
             turn = (SELECT max(turn) + 1 FROM engine_runs WHERE lane = $2 AND queued)
           WHERE id = ANY ($1)`,
          [ids, LANE],
        );
        await delay(Math.max(0, EVERY_MS - ms));
      }
      connection.release();
    }),
  );
  return taken;
}
