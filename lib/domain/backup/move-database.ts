import "server-only";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { requireStopped } from "@/lib/domain/admin/service-identity";
import { type Contents, plainReader, plainWriter } from "@/lib/domain/backup/backup-folder";
import { fillDatabase, requireEmpty } from "@/lib/domain/backup/restore-backup";
import { copyTables, readMoment } from "@/lib/domain/backup/write-backup";
import { onOwnConnection } from "@/lib/platform/postgres";

/**
 * Copies every row of this service's database into an empty one, in one transaction there; files
 * and keys stay where they are. The service must be stopped:
 * what it wrote afterwards would be left behind.
 * @param to the address of the other database
 * @param migrate brings it to this version's schema
 * @throws ServiceError CONFLICT while the service runs, or when the other database has accounts or
 * another schema
 */
export async function moveDatabase(
  to: string,
  migrate: (url: string) => Promise<void>,
): Promise<{ rows: number; tables: number }> {
  const folder = await mkdtemp(join(tmpdir(), "lathe-move-"));
  try {
    return await onOwnConnection(async (source) => {
      await requireStopped(source, "what it wrote after the copy would be left behind.");
      await source.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
      // Nobody else writes meanwhile, not even a service of an Inngest server, which cannot be
      // seen.
      await source.query("LOCK TABLE accounts, runs IN EXCLUSIVE MODE");
      const { migration } = await readMoment(source);
      const tables = await copyTables(source, plainWriter(folder), new Set());
      await migrate(to);
      await fillOther(to, folder, migration, tables);
      return { rows: tables.reduce((sum, table) => sum + table.rows, 0), tables: tables.length };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillOther(
  to: string,
  folder: string,
  migration: string,
  tables: Contents["tables"],
): Promise<void> {
  const target = new pg.Client({ connectionString: to });
  target.on("error", () => {});
  await target.connect();
  try {
    await target.query("BEGIN");
    await requireEmpty(target, migration, "Give the address of an empty database.");
    await fillDatabase(target, plainReader(folder), tables);
    await target.query("COMMIT");
  } catch (error) {
    await target.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    await target.end();
  }
}
