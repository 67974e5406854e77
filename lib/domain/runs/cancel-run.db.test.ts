import { afterAll, beforeAll, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { settleRun } from "@/lib/domain/runs/settle-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";

let database: DomainDatabase;
let owner: Principal;
beforeAll(async () => {
  database = await openDomainDatabase();
  owner = await database.account();
});
afterAll(() => database.close());

/** What the engine was told of a run's cancel, and what the account has in hand. */
async function told(runId: string) {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM engine_events WHERE name = 'run/cancelled'
         AND data::jsonb ->> 'run_id' = $1) AS events,
       (SELECT count(*)::int FROM credit_holds WHERE run_id = $1::uuid) AS holds,
       (SELECT closed_at IS NOT NULL FROM run_logs WHERE run_id = $1::uuid) AS closed`,
    [runId],
  );
  return rows[0];
}

test("of many cancels one cancels, tells the engine, gives back, its log closed", async () => {
  const { id } = await startTestRun(owner);
  expect(await told(id)).toMatchObject({ events: 0, holds: 1 });
  const answers = await Promise.all([1, 2, 3, 4].map(() => cancelRun(owner, id)));
  expect(answers.filter(({ cancelled }) => cancelled)).toHaveLength(1);
  for (const { run } of answers) expect(run.status).toBe("cancelled");
  expect(await told(id)).toEqual({ events: 1, holds: 0, closed: true });
  expect(await cancelRun(owner, id)).toMatchObject({
    cancelled: false,
    run: { status: "cancelled", error: null },
  });
  expect(await told(id)).toEqual({ events: 1, holds: 0, closed: true });
});

test("a run that has ended otherwise stays as it is, and the engine hears nothing", async () => {
  const { id } = await startTestRun(owner);
  await settleRun(
    id,
    { status: "failed", error: { code: "TIMEOUT", message: "It took too long." } },
    null,
  );
  expect(await cancelRun(owner, id)).toMatchObject({
    cancelled: false,
    run: { status: "failed", error: { code: "TIMEOUT" } },
  });
  expect(await told(id)).toMatchObject({ events: 0 });
});

test("another account's run, or one the route does not show, is not there", async () => {
  const { id } = await startTestRun(owner);
  const stranger = await database.account();
  await expect(cancelRun(stranger, id)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  await expect(cancelRun(owner, id, ["super_agent"])).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
  });
  expect(await told(id)).toMatchObject({ events: 0, holds: 1 });
});
