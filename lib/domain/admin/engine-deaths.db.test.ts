import { afterAll, beforeAll, expect, test } from "vitest";
import { listEngineDeaths } from "@/lib/domain/admin/engine-deaths";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

/** Gives the runs to a process that dies; how it was with each is said as the row's columns. */
async function die(froze: boolean, runs: Record<string, string>): Promise<void> {
  const { rows } = await database.pool.query<{ id: number }>(
    "INSERT INTO engine_processes (identity, seen_at) VALUES ('{}', now()) RETURNING id",
  );
  const process = rows[0]?.id;
  for (const [id, set] of Object.entries(runs))
    await database.pool.query(
      `UPDATE engine_runs SET owner = $1, lane = 'runs', queued = false, attempt = attempt + 1,
         ${set} WHERE event_id = $2`,
      [process, id],
    );
  await database.pool.query("SELECT engine_bury($1, $2)", [process, froze]);
}

const began = "tried_attempt = attempt + 1, tried_at = now()";

test("what dead processes held is shown: a second death counts for the tried", async () => {
  const owner = await database.account();
  const start = async () => (await startTestRun(owner)).id;
  const [a, b, c, d] = [await start(), await start(), await start(), await start()];
  await database.pool.query(
    `INSERT INTO engine_events (id, name, data, routed_at)
     SELECT id::text, 'run/accepted', '{}', now() FROM runs ON CONFLICT DO NOTHING`,
  );
  await database.pool.query("DELETE FROM engine_runs");
  await database.pool.query(
    `INSERT INTO engine_runs (id, function_id, event_id, key)
     SELECT id, 'lathe-execute-run', id::text, 'k' FROM runs`,
  );
  const parts = async () => {
    const { deaths } = await listEngineDeaths();
    return {
      how: deaths[0]?.how,
      held: Object.fromEntries(
        (deaths[0]?.held ?? []).map(({ id, part, deaths: n }) => [id, `${part} ${n}`]),
      ),
    };
  };
  await die(false, { [a]: "wakes = 0", [b]: "wakes = 0", [c]: "wakes = 0" });
  expect(await parts()).toEqual({
    how: "died",
    held: { [a]: "at_work 1", [b]: "at_work 1", [c]: "at_work 1" },
  });
  // One has its trial, one had it, one waits for its own, and a new one is at work.
  await die(true, {
    [a]: began,
    [b]: `${began}, trial_passed = true`,
    [c]: "tried_attempt = NULL",
    [d]: "wakes = 0",
  });
  expect(await parts()).toEqual({
    how: "froze",
    held: { [a]: "tried 2", [b]: "among_others 1", [c]: "waited 1", [d]: "at_work 1" },
  });
  // Several that had theirs: none is named.
  await die(false, {
    [b]: `${began}, trial_passed = true`,
    [c]: `${began}, trial_passed = true`,
  });
  expect((await parts()).held).toEqual({ [b]: "among_others 1", [c]: "among_others 1" });
  // Beside one that is new it may have been that one.
  await die(false, { [c]: `${began}, trial_passed = true`, [a]: "takeovers = 0" });
  expect((await parts()).held).toEqual({ [c]: "among_others 1", [a]: "at_work 1" });
  await die(false, { [c]: `${began}, trial_passed = true` });
  expect((await parts()).held).toEqual({ [c]: "alone 2" });
  // Eight times among others is no chance any more.
  await die(false, {
    [b]: `${began}, trial_passed = true, suspicions = 7`,
    [d]: `${began}, trial_passed = true`,
  });
  expect((await parts()).held).toEqual({ [b]: "among_others 2", [d]: "among_others 1" });
  const { deaths } = await listEngineDeaths();
  expect(deaths).toHaveLength(6);
  expect(deaths[0]?.held[0]).toMatchObject({ account_id: owner.accountId, status: "pending" });
});
