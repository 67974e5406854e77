import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BACKUP_LOCK_KEY } from "../../lib/platform/backup-lock.mjs";
import { progress } from "../setup/progress.mjs";
import { SetupError } from "../setup/setup-error.mjs";

/**
 * @typedef {{ name: string, sql: string, checksum: string }} Migration the checksum as Prisma
 * stores it
 * @typedef {{ client: import("pg").Client, other: import("pg").Client, patienceMs: number }}
 * Session a migration's connection, and one that looks on
 * @typedef {{ pid: number, role: string | null, program: string | null, since: Date | null,
 * is_backup: boolean }} Blocker
 */

/**
 * The advisory lock of all set-up work on a database ("lathe" in ASCII); Prisma's own is another.
 */
const SETUP_LOCK_KEY = 0x6c61746865;

/**
 * The migrations of the clone at `root`, oldest first: `{ name, sql, checksum }`, the checksum as
 * Prisma stores it.
 * @param {string} root
 * @returns {Migration[]}
 */
export function migrationFolders(root) {
  const base = join(root, "prisma/migrations");
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .filter((name) => existsSync(join(base, name, "migration.sql")))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(base, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LEAST_SERVER = 14;

/** How long a migration stands in the way of what comes after it. */
const LOCK_WAIT_MS = 2_000;
const PAUSE_MAX_MS = 5_000;
const PATIENCE_MS = 60_000;
const TURN_PAUSE_MS = 200;
const LOOK_EVERY_MS = 500;

/** The first line of a migration that runs outside of a transaction. */
const NO_TRANSACTION = /^-- lathe: no transaction\r?\n/;

/**
 * What a statement that builds an index beside running work leaves when it is broken off, of the
 * indexes that the migration names.
 */
const BROKEN_INDEXES = `SELECT i.indexrelid::regclass::text AS index FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid
WHERE NOT i.indisvalid AND c.relnamespace = 'public'::regnamespace
  AND position(c.relname IN $1) > 0`;

/**
 * A lock of 64 bits stands in two columns of 32.
 * @param {number} pid
 */
const blockersOf = (
  pid,
) => `SELECT a.pid, a.usename AS role, a.application_name AS program, a.xact_start AS since,
  EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory' AND l.granted
      AND l.objsubid = 1
    AND l.classid::bigint = ${BACKUP_LOCK_KEY}::bigint >> 32
    AND l.objid::bigint = ${BACKUP_LOCK_KEY}::bigint & 4294967295) AS is_backup
FROM pg_stat_activity a WHERE a.pid = ANY (pg_blocking_pids(${pid}))
ORDER BY is_backup DESC, a.xact_start`;

// Prisma's own table, column for column: `prisma migrate status` and `deploy` go on working on this
// database.
const HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY NOT NULL,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`;

/**
 * Brings the database at `databaseUrl` to the newest schema, that of `prisma/migrations`.
 * Each migration and its row in the history are one transaction, and one at a time: a crash leaves
 * it whole or not begun, and two at once take turns. One whose first line is `-- lathe: no
 * transaction` is a single statement outside of one, for what refuses a transaction or would hold
 * locks for too long (`CREATE INDEX CONCURRENTLY IF NOT EXISTS`, a `DO` block that commits its
 * batches): it must stand being begun again.
 * Throws a SetupError with one sentence.
 * @param {string} databaseUrl
 * @param {{ root?: string, patienceMs?: number }} [options] `patienceMs`: how long a migration
 * tries to get its locks
 */
export async function migrate(databaseUrl, { root = ROOT, patienceMs = PATIENCE_MS } = {}) {
  const client = await connect(databaseUrl);
  try {
    await requireServerVersion(client);
    const folders = migrationFolders(root);
    await requireKnownSchema(client, folders);
    const missing = await missingMigrations(client, folders);
    if (missing.length === 0) return;
    const other = await connect(databaseUrl);
    await progress(
      `Applying ${missing.length} database migration${missing.length === 1 ? "" : "s"}`,
      () =>
        applyAll({ client, other, patienceMs }, missing).catch((error) => {
          throw isPermissionDenied(error) ? new SetupError(NOT_OWNER) : error;
        }),
    ).finally(() => other.end().catch(() => {}));
  } finally {
    await client.end().catch(() => {});
  }
}

/** @param {string} databaseUrl */
async function connect(databaseUrl) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: databaseUrl });
  // A broken connection is reported by the query that meets it.
  client.on("error", () => {});
  await client.connect().catch((error) => {
    throw new SetupError(
      `The database cannot be reached (${error.code ?? error.message}); check DATABASE_URL.`,
    );
  });
  return client;
}

const NOT_OWNER =
  "The database lacks migrations of this version, and the role of DATABASE_URL may not change " +
  "its schema; run npm run db:deploy with DATABASE_OWNER_URL, the address of the role that owns " +
  "it.";

/** @param {unknown} error */
function isPermissionDenied(error) {
  return error instanceof Error && "code" in error && error.code === "42501";
}

/** @param {import("pg").Client} client */
async function requireServerVersion(client) {
  const { rows } = await client.query(
    "SELECT current_setting('server_version_num')::int / 10000 AS major",
  );
  if (rows[0].major < LEAST_SERVER)
    throw new SetupError(
      `Lathe needs PostgreSQL ${LEAST_SERVER} or newer; DATABASE_URL leads to ${rows[0].major}.`,
    );
}

/**
 * Older code on a newer schema starts, and then fails at one request or another. @throws SetupError
 * @param {import("pg").Client} client
 * @param {Migration[]} folders
 */
async function requireKnownSchema(client, folders) {
  if (!(await hasHistory(client))) return;
  const known = folders.map(({ name }) => name);
  const { rows } = await client.query(
    `SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL
       AND migration_name <> ALL($1) ORDER BY 1 DESC LIMIT 1`,
    [known],
  );
  if (rows.length === 0) return;
  throw new SetupError(
    `A newer version of Lathe has migrated this database (${rows[0].name}); start that version, ` +
      "or restore a backup from before its migration.",
  );
}

/** @param {import("pg").Client} client */
async function hasHistory(client) {
  const { rows } = await client.query(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there",
  );
  return rows[0].there;
}

/**
 * @param {import("pg").Client} client
 * @param {Migration[]} folders
 * @returns {Promise<Migration[]>}
 */
async function missingMigrations(client, folders) {
  if (!(await hasHistory(client))) return folders;
  const history = await client.query(
    "SELECT migration_name, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  const unfinished = history.rows.find((row) => row.finished_at === null);
  if (unfinished) {
    throw new SetupError(
      `Migration ${unfinished.migration_name} was begun by another tool and never finished; ` +
        'settle it with "prisma migrate resolve".',
    );
  }
  const applied = new Set(history.rows.map((row) => row.migration_name));
  return folders.filter(({ name }) => !applied.has(name));
}

/**
 * @param {Session} session
 * @param {Migration[]} migrations
 */
async function applyAll(session, migrations) {
  for (const migration of migrations) {
    if (NO_TRANSACTION.test(migration.sql)) await applyOutside(session, migration);
    else await applyWithin(session, migration);
  }
}

/**
 * Whole or not at all. Who waits for a table's lock holds up everybody that comes after it, so a
 * try waits for a moment only and lets them pass before the next.
 * @param {Session} session
 * @param {Migration} migration
 */
async function applyWithin(session, migration) {
  const { client, patienceMs } = session;
  const giveUpAt = performance.now() + patienceMs;
  for (let pauseMs = 250; ; pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2)) {
    await beginSetup(client);
    const blockers = await watchBlockers(session);
    try {
      await applyOnce(session, migration, async () => {
        await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
        await client.query(migration.sql);
      });
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback").catch(() => {});
      if (!isLocked(error)) throw failed(migration, "failed, and nothing of it was kept", error);
      if (performance.now() >= giveUpAt)
        throw locked(migration, patienceMs, "Nothing of it was kept", blockers.seen());
    } finally {
      await blockers.end();
    }
    await delay(pauseMs);
  }
}

/**
 * One statement, on its own. It may have been broken off before: an index that it had begun is not
 * valid and is in the way.
 * @param {Session} session
 * @param {Migration} migration
 */
async function applyOutside(session, migration) {
  const { client, other, patienceMs } = session;
  // Its turn is held by a transaction of the other connection, which sees no rows between its
  // statements: what is built beside running work waits for all that do. (A statement with
  // parameters would keep its view until the next one.)
  await beginSetup(other);
  const blockers = await watchBlockers(session);
  try {
    await applyOnce(session, migration, async () => {
      await client.query(`SET statement_timeout = 0; SET lock_timeout = ${patienceMs}`);
      const { rows } = await client.query(BROKEN_INDEXES, [migration.sql]);
      for (const { index } of rows) await client.query(`DROP INDEX CONCURRENTLY ${index}`);
      await client.query(migration.sql);
    });
  } catch (error) {
    throw isLocked(error)
      ? locked(migration, patienceMs, "It goes on where it was", blockers.seen())
      : failed(migration, "failed half-way, and goes on from there the next time", error);
  } finally {
    await blockers.end();
    await other.query("rollback").catch(() => {});
    await client.query("RESET statement_timeout; RESET lock_timeout").catch(() => {});
  }
}

/**
 * Does `work` and writes it down, unless somebody else has while we waited for our turn.
 * @param {Session} session
 * @param {Migration} migration
 * @param {() => Promise<void>} work
 */
async function applyOnce({ client }, migration, work) {
  await client.query(HISTORY_TABLE);
  if ((await missingMigrations(client, [migration])).length === 0) return;
  await work();
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
     VALUES ($1, $2, clock_timestamp(), $3, 1)`,
    [randomUUID(), migration.checksum, migration.name],
  );
}

/**
 * Begins a transaction that sets the database up, once no other does. Asked for again and again:
 * whoever stands waiting for a lock has a view of all rows, and an index that is built beside
 * running work waits for such a one to go. Held by the transaction, not the session: a pooler in
 * front of the database may give each transaction another session.
 * @param {import("pg").Client} client
 */
export async function beginSetup(client) {
  for (;;) {
    await client.query("begin");
    const { rows } = await client.query(
      `SELECT pg_try_advisory_xact_lock(${SETUP_LOCK_KEY}) AS taken`,
    );
    if (rows[0].taken) return;
    await client.query("rollback");
    await delay(TURN_PAUSE_MS);
  }
}

/**
 * Looks from the other connection, while the migration's waits, at what it waits for.
 * @param {Session} session
 */
async function watchBlockers({ client, other }) {
  const pid = Number((await client.query("SELECT pg_backend_pid() AS pid")).rows[0].pid);
  /** @type {Blocker[]} */
  let last = [];
  let looked = Promise.resolve();
  const look = async () => {
    const { rows } = await other.query(blockersOf(pid));
    if (rows.length > 0) last = rows;
  };
  const timer = setInterval(() => {
    looked = looked.then(look).catch(() => {});
  }, LOOK_EVERY_MS);
  return {
    seen: () => last,
    end: () => {
      clearInterval(timer);
      return looked;
    },
  };
}

/** @param {unknown} error */
function isLocked(error) {
  return (
    error instanceof Error && "code" in error && ["55P03", "40P01"].includes(String(error.code))
  );
}

/**
 * @param {Migration} migration
 * @param {string} how
 * @param {unknown} error
 */
function failed({ name }, how, error) {
  if (error instanceof SetupError || isPermissionDenied(error)) return error;
  return new SetupError(
    `Migration ${name} ${how}.`,
    error instanceof Error ? error.message : String(error),
  );
}

/**
 * @param {Migration} migration
 * @param {number} patienceMs
 * @param {string} kept
 * @param {Blocker[]} blockers
 */
function locked({ name }, patienceMs, kept, [blocker]) {
  return new SetupError(
    `Migration ${name} did not get a lock within ${Math.round(patienceMs / 1000)} seconds: ` +
      `${sayBlocker(blocker)}. ${kept}; start again once that is over.`,
  );
}

/** @param {Blocker | undefined} blocker */
function sayBlocker(blocker) {
  if (!blocker) return "another session holds it";
  const since = blocker.since ? ` since ${blocker.since.toISOString()}` : "";
  if (blocker.is_backup)
    return (
      `a backup is under way (process ${blocker.pid} of the ` +
      `database,${since || " since some time"})`
    );
  return (
    `process ${blocker.pid} of user ${blocker.role ?? "unknown"} ` +
    `(${JSON.stringify(blocker.program ?? "")}), in a transaction${since}, holds it`
  );
}
