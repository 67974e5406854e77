import "server-only";
import { z } from "zod";

/**
 * A backup is a folder: `backup.json` (this), `tables/<name>.ndjson` with a JSON object for each row, `files/<n>` with the bytes of the nth file, and
 * `secrets.json` where the keys lie in the data folder. `backup.json` is written last: a folder without it is a backup that was broken off.
 */
export const backupSchema = z.object({
  format: z.literal(1),
  created_at: z.string(),
  /** The newest migration of the database: it is restored into a database of the same one. */
  migration: z.string(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int() })),
  /** The keys of the file store, in the order of the numbers in `files/`. */
  files: z.array(z.object({ key: z.string(), size_bytes: z.number().int(), sha256: z.string() })),
});

export type Backup = z.infer<typeof backupSchema>;

/**
 * What a restored service makes anew: limits of the current minute, uploads under way, the processes that ran, and the counts of rows, which triggers
 * keep as the rows come in.
 */
export const LEFT_OUT = ["_prisma_migrations", "minute_buckets", "uploads", "engine_processes", "engine_limits", "row_counts"];
