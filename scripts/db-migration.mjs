import "./setup/on-supported-node.mjs";

import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { migrationFaults } from "./checks/migration-rule.mjs";
import { startDisposablePostgres } from "./postgres/embedded-postgres.mjs";
import { migrate, migrationFolders } from "./postgres/migrate.mjs";
import { schemaDifference } from "./postgres/schema-engine.mjs";
import { migrationOf, sourceDifference } from "./postgres/sql-source.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * `npm run db:migration -- NAME`: writes the next migration, from what the existing ones make to
 * what prisma/schema, prisma/types and prisma/functions say.
 */
await runScript(async (shutdown) => {
  const name = process.argv[2] ?? "";
  if (!/^[a-z][a-z0-9_]{0,60}$/.test(name)) {
    throw new SetupError(
      "Give the migration a name of small letters, digits and underscores: npm run db:migration " +
        "-- add_invoices",
    );
  }
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root, build: false });
  const postgres = await startDisposablePostgres();
  shutdown.add(() => postgres.stop());
  try {
    const migrations = migrationFolders(root);
    const migrationsFolder = join(root, "prisma/migrations");
    const tables = await schemaDifference({
      databaseUrl: postgres.url,
      schemaFolder: join(root, "prisma/schema"),
      migrations,
      migrationsFolder,
    });
    const difference = await sqlDifference(postgres.url, root);
    if (difference.faults.length > 0) throw new SetupError(difference.faults.join("\n"));
    const sql = [tables, migrationOf(difference)].filter(Boolean).join("\n");
    if (sql === "")
      return print(
        "The migrations already lead to prisma/schema, prisma/types and prisma/functions; " +
          "nothing was written.",
      );
    const target = join(migrationsFolder, `${stamp(migrations.at(-1)?.name)}_${name}`);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "migration.sql"), sql);
    writeFileSync(join(migrationsFolder, "migration_lock.toml"), 'provider = "postgresql"\n');
    print(
      `Wrote ${relative(root, target)}/migration.sql; read it before you commit it, then run npm ` +
        "run db:schema.",
    );
    const faults = migrationFaults(root);
    if (faults.length > 0)
      print(
        `\nnpm run lint will refuse (docs/operations.md, Rolling updates):\n${faults.join("\n")}`,
      );
  } finally {
    await shutdown.run();
  }
});

/**
 * What the files of functions and types say otherwise than the migrations.
 * @param {string} url of an empty database
 * @param {string} root
 */
async function sqlDifference(url, root) {
  await migrate(url, { root });
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await sourceDifference(client, root);
  } finally {
    await client.end();
  }
}

/**
 * Prisma's time stamp in UTC; never before the last migration's, whose author's clock may have run
 * ahead.
 * @param {string | undefined} last
 */
function stamp(last) {
  const now = Number(new Date().toISOString().replace(/\D/g, "").slice(0, 14));
  return Math.max(now, last === undefined ? 0 : Number(last.slice(0, 14)) + 1);
}
