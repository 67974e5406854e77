import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { progress } from "../setup/progress.mjs";
import { SetupError } from "../setup/setup-error.mjs";

/**
 * @typedef {{ name: string, sql: string, checksum: string }} Migration the checksum as Prisma stores it
 */

/** The advisory lock of all set-up work on a database ("lathe" in ASCII); Prisma's own is another. */
export const SETUP_LOCK_KEY = 0x6c61746865;

/**
 * The migrations of the clone at `root`, oldest first: `{ name, sql, checksum }`, the checksum as Prisma stores it.
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

// Prisma's own table, column for column: `prisma migrate status` and `deploy` go on working on this database.
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
 * Each migration and its row in the history are one transaction under an advisory lock: a crash leaves it whole or not begun,
 * and two at once take turns. (So a migration cannot hold what refuses a transaction, such as `create index concurrently`.)
 * Throws a SetupError with one sentence.
 * @param {string} databaseUrl
 * @param {{ root?: string }} [options]
 */
export async function migrate(databaseUrl, { root = ROOT } = {}) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: databaseUrl });
  // A broken connection is reported by the query that meets it.
  client.on("error", () => {});
  await client.connect().catch((error) => {
    throw new SetupError(`The database cannot be reached (${error.code ?? error.message}); check DATABASE_URL.`);
  });
  try {
    await requireServerVersion(client);
    const folders = migrationFolders(root);
    await requireKnownSchema(client, folders);
    const missing = await missingMigrations(client, folders);
    if (missing.length > 0)
      await progress(`Applying ${missing.length} database migration${missing.length === 1 ? "" : "s"}`, () =>
        applyAll(client, missing).catch((error) => {
          throw isPermissionDenied(error) ? new SetupError(NOT_OWNER) : error;
        }),
      );
  } finally {
    await client.end().catch(() => {});
  }
}

const NOT_OWNER =
  "The database lacks migrations of this version, and the role of DATABASE_URL may not change its schema; run npm run db:deploy with DATABASE_OWNER_URL, the address of the role that owns it.";

/** @param {unknown} error */
function isPermissionDenied(error) {
  return error instanceof Error && "code" in error && error.code === "42501";
}

/** @param {import("pg").Client} client */
async function requireServerVersion(client) {
  const { rows } = await client.query("SELECT current_setting('server_version_num')::int / 10000 AS major");
  if (rows[0].major < LEAST_SERVER)
    throw new SetupError(`Lathe needs PostgreSQL ${LEAST_SERVER} or newer; DATABASE_URL leads to ${rows[0].major}.`);
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
    "SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL AND migration_name <> ALL($1) ORDER BY 1 DESC LIMIT 1",
    [known],
  );
  if (rows.length === 0) return;
  throw new SetupError(
    `A newer version of Lathe has migrated this database (${rows[0].name}); start that version, or restore a backup from before its migration.`,
  );
}

/** @param {import("pg").Client} client */
async function hasHistory(client) {
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there");
  return rows[0].there;
}

/**
 * @param {import("pg").Client} client
 * @param {Migration[]} folders
 * @returns {Promise<Migration[]>}
 */
async function missingMigrations(client, folders) {
  if (!(await hasHistory(client))) return folders;
  const history = await client.query("SELECT migration_name, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL");
  const unfinished = history.rows.find((row) => row.finished_at === null);
  if (unfinished) {
    throw new SetupError(
      `Migration ${unfinished.migration_name} was begun by another tool and never finished; settle it with "prisma migrate resolve".`,
    );
  }
  const applied = new Set(history.rows.map((row) => row.migration_name));
  return folders.filter(({ name }) => !applied.has(name));
}

/**
 * @param {import("pg").Client} client
 * @param {Migration[]} migrations
 */
async function applyAll(client, migrations) {
  for (const migration of migrations) {
    await inLockedTransaction(client, async () => {
      await client.query(HISTORY_TABLE);
      // Somebody else may have applied it while we waited for the lock.
      if ((await missingMigrations(client, [migration])).length === 0) return;
      await client.query(migration.sql).catch((error) => {
        throw new SetupError(`Migration ${migration.name} failed, and nothing of it was kept.`, error.message);
      });
      await client.query(
        "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ($1, $2, clock_timestamp(), $3, 1)",
        [randomUUID(), migration.checksum, migration.name],
      );
    });
  }
}

/**
 * @param {import("pg").Client} client
 * @param {() => Promise<void>} work
 */
async function inLockedTransaction(client, work) {
  await client.query("begin");
  try {
    // Held by the transaction, not the session: a pooler in front of the database may give each transaction another session.
    await client.query("SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK_KEY]);
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}
