import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { readRunEventPage } from "@/lib/domain/runs/read-run-event-page";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun } from "@/lib/domain/runs/run-view";
import { streamRun } from "@/lib/domain/runs/stream-run";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { eventHub } from "@/lib/engine/events/event-hub";
import { newId } from "@/lib/platform/ids";

const folder = mkdtempSync(join(tmpdir(), "lathe-domain-"));

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase({ env: { DATA_DIR: folder } });
  owner = await database.account();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const runRequest = {
  agentId: null,
  workspaceId: null,
  webhookUrl: null,
  shouldNotify: false,
  model: null,
  metadata: {},
  maxCreditsMicros: null,
  input: { text: "x" },
  conversationId: null,
};

function start(key: string) {
  const answer = (run: { id: string }) => ({ status: 202, body: run.id });
  return requestRun(owner, "agent", runRequest, {
    route: "createRun",
    key,
    requestHash: "same",
    answer,
  });
}

/** A run that ended this many minutes ago, and had been started under `key` as long before. */
async function endedRun(minutes: number, key = newId()): Promise<string> {
  const run = await start(key);
  if ("replayed" in run) throw new Error("the key was used before");
  await cancelRun(owner, run.id);
  const ago = `${minutes} minutes`;
  await database.pool.query("UPDATE runs SET completed_at = now() - $2::interval WHERE id = $1", [
    run.id,
    ago,
  ]);
  await database.pool.query(
    "UPDATE run_logs SET closed_at = now() - $2::interval WHERE run_id = $1",
    [run.id, ago],
  );
  await database.pool.query(
    "UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE key = $1",
    [key, ago],
  );
  return run.id;
}

const DAY_MINUTES = 24 * 60;
const linesOf = async (runId: string) =>
  (await readRunEventPage({ id: runId, accountId: owner.accountId }, -1, 100, "")).lines.length;

test("a run's events are kept for 24 hours after its end; the run stays readable", async () => {
  const [kept, gone] = [await endedRun(DAY_MINUTES - 1), await endedRun(DAY_MINUTES + 1)];
  expect([await linesOf(kept), await linesOf(gone)]).toEqual([2, 2]);
  await sweepOldRows();
  // A day later nobody has them in memory either.
  eventHub().recent.drop(gone);
  expect([await linesOf(kept), await linesOf(gone)]).toEqual([2, 0]);
  const stream = streamRun(
    { id: gone, accountId: owner.accountId },
    -1,
    "",
    new AbortController().signal,
  );
  expect(await stream.next()).toEqual({ done: true, value: undefined });
  expect(await getRun(owner, gone)).toMatchObject({ id: gone, status: "cancelled" });
});

test("an Idempotency-Key is kept for 24 hours: the same run till then, then new", async () => {
  const [young, old] = [newId(), newId()];
  const [kept, gone] = [
    await endedRun(DAY_MINUTES - 1, young),
    await endedRun(DAY_MINUTES + 1, old),
  ];
  await sweepOldRows();
  expect(await start(young)).toEqual({ replayed: true, status: 202, body: kept });
  const fresh = await start(old);
  expect("id" in fresh && fresh.id !== gone).toBe(true);
});
