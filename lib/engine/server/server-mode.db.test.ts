import { afterAll, beforeAll, expect, test } from "vitest";
import { engineState } from "@/lib/engine/engine-state";
import { showLife } from "@/lib/engine/server/server-mode";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { testService } from "@/lib/platform/test/test-service";

testService({ LOG_LEVEL: "silent" });
let database: EngineDatabase;
beforeAll(async () => {
  database = await openEngineDatabase();
});
afterAll(async () => {
  await database.close();
});

const processes = async () =>
  (
    await database.pool.query<{ id: number; seen: string }>(
      "SELECT id, seen_at::text AS seen FROM engine_processes",
    )
  ).rows;

test("with Inngest too a process is seen to live, anew after a false death", async () => {
  const end = await showLife(database.pool);
  const [first] = await processes();
  expect(first).toEqual({ id: engineState().processId, seen: expect.any(String) });
  await expect.poll(async () => (await processes())[0]?.seen).not.toBe(first?.seen);
  expect(engineState().others).toBe(0);
  await database.pool.query("DELETE FROM engine_processes");
  await expect.poll(() => engineState().processId).not.toBe(first?.id);
  expect((await processes()).map(({ id }) => id)).toEqual([engineState().processId]);
  await end();
  expect(await processes()).toEqual([]);
});
