import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The migrations of the clone at `root`, oldest first: `{ name, sql, checksum }`, the checksum as Prisma stores it. */
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
