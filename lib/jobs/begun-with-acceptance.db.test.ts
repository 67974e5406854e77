import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency } from "@/lib/domain/runs/accept-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { startTestRun, testRunInput } from "@/lib/domain/test/start-test-run";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { executeRun } from "@/lib/jobs/execute-run";
import { newId } from "@/lib/platform/ids";
import { scriptedModel } from "@/lib/runtime/test/scripted-model";

const AT_WORK_MAX = 2;

let database: DomainDatabase;
let executor: EmbeddedExecutor;
/** Model calls that have not been answered. */
let open = 0;
let mostOpen = 0;
let answer: Promise<void> = Promise.resolve();

beforeAll(async () => {
  database = await openDomainDatabase({
    env: { RUNS_AT_WORK_PER_ACCOUNT: String(AT_WORK_MAX) },
  });
  injectModel(
    scriptedModel("builtin/offline", async () => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      await answer;
      open -= 1;
      return { text: "done" };
    }),
  );
  // One place: one that is kept for nobody would be missed at once.
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 1,
  });
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
});

async function completed(owner: Principal, id: string): Promise<void> {
  await expect
    .poll(async () => (await getRun(owner, id)).status, { interval: 10 })
    .toBe("completed");
}

/** How often each statement was sent while `work` was done. */
async function counted(work: () => Promise<void>): Promise<Map<string, number>> {
  const query = vi.spyOn(database.pool, "query");
  await work();
  const counts = new Map<string, number>();
  for (const [statement] of query.mock.calls) {
    // A statement of text alone has no name, and is none of those that are asked for here.
    const name = String((statement as unknown as { name?: string }).name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  query.mockRestore();
  return counts;
}

/** After this the process knows that nothing waits. */
async function calm(): Promise<void> {
  const owner = await database.account();
  const { id } = await startTestRun(owner);
  await completed(owner, id);
}

test("where a place is free accepting a run takes it up: nothing claims it", async () => {
  await calm();
  const owner = await database.account();
  const counts = await counted(async () => {
    const { id } = await startTestRun(owner);
    await completed(owner, id);
  });
  expect(counts.get("accept_run")).toBe(1);
  expect(counts.get("begin_model_turn")).toBe(1);
  expect(counts.get("engine_claim")).toBeUndefined();
});

test("a start that is said again or refused keeps no place", async () => {
  await calm();
  const owner = await database.account();
  const key: Idempotency = {
    route: "POST /v1/runs",
    key: newId(),
    requestHash: "one body",
    answer: (run) => ({ status: 202, body: run.id }),
  };
  const first = await requestRun(owner, "agent", testRunInput(), key);
  const again = await requestRun(owner, "agent", testRunInput(), key);
  expect(again).toMatchObject({ replayed: true, status: 202 });
  if ("replayed" in first) throw new Error("It was the first one.");
  await completed(owner, first.id);
  for (let n = 0; n < 5; n++)
    await expect(startTestRun(owner, { maxCreditsMicros: 1n })).rejects.toMatchObject({
      code: "INSUFFICIENT_CREDITS",
    });
  const counts = await counted(async () => {
    const { id } = await startTestRun(owner);
    await completed(owner, id);
  });
  expect(counts.get("engine_claim")).toBeUndefined();
});

test("of many accepted at once an account has no more at work than it may", async () => {
  await calm();
  const owner = await database.account();
  const gate = Promise.withResolvers<void>();
  answer = gate.promise;
  mostOpen = 0;
  const runs = await Promise.all(Array.from({ length: 12 }, () => startTestRun(owner)));
  await expect.poll(() => open, { interval: 5 }).toBe(AT_WORK_MAX);
  gate.resolve();
  for (const { id } of runs) await completed(owner, id);
  expect(mostOpen).toBe(AT_WORK_MAX);
});

test("an acceptance that waits for its account's row keeps no place from others", async () => {
  await calm();
  const [held, other] = [await database.account(), await database.account()];
  const locker = await database.pool.connect();
  await locker.query("BEGIN");
  await locker.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [held.accountId]);
  const waiting = startTestRun(held);
  const { id } = await startTestRun(other);
  await completed(other, id);
  await locker.query("ROLLBACK");
  locker.release();
  await completed(held, (await waiting).id);
});
