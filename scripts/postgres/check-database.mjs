import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SetupError } from "../setup/setup-error.mjs";

const CLOCK_DIFFERENCE_MAX_MS = 2_000;
const RELEASE_WITHIN_MS = 5_000;

/**
 * Looks at a database that somebody else runs, before the service relies on it: sessions must be
 * sessions, and its clock should be ours.
 * @param {string} databaseUrl
 * @param {{ warn?: (sentence: string) => void, now?: () => number, releaseWithinMs?: number }}
 * [options] `warn` is given one sentence when the clocks differ by more than 2 s
 * @throws SetupError for a pooler in transaction mode: locks and notifications of the service live
 * in sessions
 */
export async function checkDatabase(
  databaseUrl,
  { warn = console.warn, now = Date.now, releaseWithinMs = RELEASE_WITHIN_MS } = {},
) {
  const key = randomInt(2 ** 47);
  const first = await connect(databaseUrl);
  await first.query("SELECT pg_advisory_lock($1)", [key]);
  await first.end();
  const second = await connect(databaseUrl);
  try {
    if (!(await isReleased(second, key, releaseWithinMs))) throw new SetupError(POOLER);
    await compareClocks(second, warn, now);
  } finally {
    await second.end().catch(() => {});
  }
}

const POOLER =
  "DATABASE_URL leads through a connection pooler in transaction mode, which mixes up sessions; " +
  "give the address of PostgreSQL itself, or a pooler in session mode.";

/**
 * A lock ends with the session that took it. Behind a pooler of transactions the session goes on,
 * and its lock with it.
 * @param {import("pg").Client} client
 * @param {number} key
 * @param {number} withinMs
 */
async function isReleased(client, key, withinMs) {
  for (let waited = 0; ; waited += 100) {
    const { rows } = await client.query(HELD, [key]);
    if (!rows[0].held) return true;
    if (waited >= withinMs) return false;
    await delay(100);
  }
}

/** PostgreSQL shows the two halves of a lock's number apart. */
const HELD = `
SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
    AND classid::bigint = $1::bigint >> 32 AND objid::bigint = $1::bigint & 4294967295) AS held`;

/**
 * @param {import("pg").Client} client
 * @param {(sentence: string) => void} warn
 * @param {() => number} now
 */
async function compareClocks(client, warn, now) {
  const before = now();
  const { rows } = await client.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms");
  const after = now();
  const there = Number(rows[0].ms);
  const apart = there < before ? before - there : there > after ? there - after : 0;
  if (apart <= CLOCK_DIFFERENCE_MAX_MS) return;
  warn(
    `The clock of the database differs from this machine's by ${Math.round(apart / 1000)} s; let ` +
      "both follow a time server, for limits and time-outs compare the two.",
  );
}

/** @param {string} databaseUrl */
async function connect(databaseUrl) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  await client.connect().catch((error) => {
    throw new SetupError(
      `The database cannot be reached (${error.code ?? error.message}); check DATABASE_URL.`,
    );
  });
  return client;
}
