import "server-only";
import pg from "pg";
import { createTestDatabase } from "@/lib/storage/test-database";

export interface EngineDatabase {
  url: string;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** A migrated database of its own for one test file, and a pool on it. */
export async function openEngineDatabase(): Promise<EngineDatabase> {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 20 });
  // Tests cut connections; the pool makes another.
  pool.on("error", () => {});
  return {
    url: database.url,
    pool,
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}
