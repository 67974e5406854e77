import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { resendStrandedRuns } from "@/lib/domain/runs/resend-pending-runs";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { EngineUnavailable, type LatheEvent } from "@/lib/engine/client";
import { registerProcess } from "@/lib/engine/embedded/processes";
import { openRunLog } from "@/lib/engine/events/run-log-writer";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  vi.stubEnv("LOG_LEVEL", "silent");
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
});
afterEach(async () => {
  await database.pool.query("DELETE FROM runs");
  await database.pool.query("DELETE FROM engine_processes");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.close();
});

interface Run {
  status?: string;
  requiresAction?: object | null;
  startedMinutesAgo?: number;
  lastLineMinutesAgo?: number;
  isClosed?: boolean;
  /** How long ago the process beat that holds its log; absent: nobody holds it. */
  ownerSecondsAgo?: number;
}

/** A run that is at work and that nobody works on, but for what `run` says. */
async function insertRun(run: Run = {}): Promise<string> {
  const {
    status = "running",
    requiresAction = null,
    startedMinutesAgo = 11,
    lastLineMinutesAgo = 11,
    isClosed = false,
  } = run;
  const [id, conversationId] = [newId(), newId()];
  const process = run.ownerSecondsAgo === undefined ? null : await registerProcess(database.pool);
  const ago = "now() - make_interval(secs => $2)";
  await database.pool.query(`UPDATE engine_processes SET seen_at = ${ago} WHERE id = $1`, [
    process,
    run.ownerSecondsAgo ?? 0,
  ]);
  await database.pool.query(
    "INSERT INTO conversations (id, account_id, family, updated_at) VALUES ($1, $2, 'agent', now())",
    [conversationId, owner.accountId],
  );
  await database.pool.query(
    `INSERT INTO runs (id, started_at, account_id, kind, status, conversation_id, input, model, requires_action)
     VALUES ($1, ${ago}, $3, 'agent', $4, $5, '{}', 'm', $6)`,
    [
      id,
      startedMinutesAgo * 60,
      owner.accountId,
      status,
      conversationId,
      requiresAction && JSON.stringify(requiresAction),
    ],
  );
  await database.pool.query(
    "INSERT INTO run_logs (run_id, next_sequence, owner, closed_at) VALUES ($1, 2, $2, $3)",
    [id, process, isClosed ? new Date() : null],
  );
  await database.pool.query(
    `INSERT INTO run_events (run_id, created_at, first_sequence, last_sequence, lines) VALUES ($1, ${ago}, 0, 1, '')`,
    [id, lastLineMinutesAgo * 60],
  );
  return id;
}

/** Looks once for stranded runs, with a sender that keeps what it is given. */
async function look(): Promise<LatheEvent[]> {
  const sent: LatheEvent[] = [];
  await resendStrandedRuns(async (event) => void sent.push(event));
  return sent;
}

/** The ten minutes of the hour that the database is in: what is sent in them has one id. */
async function round(): Promise<string> {
  const { rows } = await database.pool.query<{ round: string }>(
    "SELECT floor(extract(epoch FROM now()) / 600)::text AS round",
  );
  return rows[0]?.round ?? "";
}

test("a run that nobody has worked on for ten minutes is sent once a look, as its start under an id of these ten minutes", async () => {
  const id = await insertRun();
  const dead = await insertRun({ ownerSecondsAgo: 16 });
  const before = await round();
  const sent = await look();
  const ids = new Set([before, await round()]);
  expect(sent.map(({ name, data }) => ({ name, data }))).toEqual(
    [id, dead].map((runId) => ({
      name: "run/accepted",
      data: { run_id: runId, account_id: owner.accountId },
    })),
  );
  for (const event of sent) {
    const [runId, again, number = ""] = event.id.split(":");
    expect([runId, again]).toEqual(["run_id" in event.data && event.data.run_id, "again"]);
    expect(ids).toContain(number);
  }
});

test.each<[what: string, run: Run]>([
  ["has begun within ten minutes", { startedMinutesAgo: 9 }],
  ["has shown something within ten minutes", { lastLineMinutesAgo: 9 }],
  ["a living process holds", { ownerSecondsAgo: 5 }],
  ["waits for a person", { requiresAction: { type: "approval" } }],
  ["has not begun", { status: "pending" }],
  ["has ended", { status: "failed" }],
  ["has ended its log", { isClosed: true }],
])("a run that %s is not sent", async (_, run) => {
  await insertRun(run);
  expect(await look()).toEqual([]);
});

test("a run that was taken up is not sent again, also while it has shown nothing yet", async () => {
  const id = await insertRun();
  expect(await look()).toHaveLength(1);
  const process = await registerProcess(database.pool);
  const writer = await openRunLog(id);
  await database.pool.query("UPDATE run_logs SET owner = $2 WHERE run_id = $1", [id, process]);
  expect(await look()).toEqual([]);
  await writer?.close();
});

test("a sender that fails leaves the run for the next look, and keeps no other from being sent", async () => {
  const [first, second] = [await insertRun(), await insertRun()];
  const tried: string[] = [];
  await resendStrandedRuns(async ({ data }) => {
    tried.push("run_id" in data ? data.run_id : "");
    if (tried.length === 1) throw new EngineUnavailable("away");
  });
  expect(tried).toEqual([first, second]);
  const again = await look();
  expect(again.map(({ data }) => "run_id" in data && data.run_id)).toContain(first);
});

test("two that look at once send one run under one id, which the engine takes once", async () => {
  await insertRun();
  const before = await round();
  const sent = (await Promise.all([look(), look(), look()])).flat();
  const rounds = new Set([before, await round()]);
  expect(sent).toHaveLength(3);
  // Were they to look on both sides of a full ten minutes, there would be an id for each.
  expect(new Set(sent.map(({ id }) => id)).size).toBeLessThanOrEqual(rounds.size);
});
