import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { requireConnections } from "@/lib/jobs/connection-room";
import { connectionsMax } from "@/lib/platform/postgres";

let database: EngineDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openEngineDatabase();
  pool = database.pool;
});
afterAll(() => database.close());

const each = connectionsMax();
const limitTo = async (connections: number) => {
  const { rows } = await pool.query<{ name: string }>("SELECT current_database() AS name");
  await pool.query(`ALTER DATABASE "${rows[0]?.name}" CONNECTION LIMIT ${connections}`);
};
const addProcess = (secondsAgo: number) =>
  pool.query(
    "INSERT INTO engine_processes (seen_at) VALUES (clock_timestamp() - make_interval(secs => $1))",
    [secondsAgo],
  );

test("a database with room for all processes is no news; one without is named", async () => {
  const warn = vi.fn<(sentence: string) => void>();
  await addProcess(1);
  await addProcess(3_600);
  await limitTo(each * 2);
  await requireConnections(pool, warn);
  expect(warn).not.toHaveBeenCalled();
  await limitTo(each * 2 - 1);
  await requireConnections(pool, warn);
  expect(warn.mock.calls).toEqual([
    [
      `The database lets in ${each * 2 - 1} connections, and 2 processes open up to ${each} ` +
        "each; raise max_connections, or lower DATABASE_POOL_SIZE or the number of processes.",
    ],
  ]);
});

test("a database that has no room for one process is refused", async () => {
  await limitTo(each - 1);
  await expect(requireConnections(pool)).rejects.toThrow(
    `The database lets in ${each - 1} connections and this process opens up to ${each};`,
  );
});

test("the documents say how many connections an instance opens", () => {
  const docs = fileURLToPath(new URL("../../docs/self-hosting.md", import.meta.url));
  expect(readFileSync(docs, "utf8")).toContain(`opens up to ${each} connections`);
});
