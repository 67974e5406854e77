import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { hasStopped, type RunView } from "@/lib/domain/runs/run-view";
import { closeEndedRun, moveRun, type Outcome, settleRun } from "@/lib/domain/runs/settle-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import type { RunStatus } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";
import { transaction } from "@/lib/platform/postgres";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

const DONE: Outcome = { status: "completed", result: { text: "It is done.", artifacts: [] } };
const FAILED: Outcome = {
  status: "failed",
  error: { code: "TIMEOUT", message: "It took too long." },
};
const CANCELLED: Outcome = {
  status: "cancelled",
  error: { code: "RUN_CANCELLED", message: "The run was cancelled." },
};
const OUTCOMES = { completed: DONE, failed: FAILED, cancelled: CANCELLED };

/** A run as its first step leaves it, which waits for a person. */
async function running(more: Parameters<typeof startTestRun>[1] = {}): Promise<RunView> {
  const run = await startTestRun(owner, more);
  const approvalId = newId();
  await database.pool.query(
    "UPDATE runs SET status = 'running', started_at = now(), requires_action = $2 WHERE id = $1",
    [run.id, JSON.stringify({ type: "approval", approval_id: approvalId })],
  );
  await database.pool.query(
    `INSERT INTO approvals (id, run_id, account_id, tool_call_id, tool_name, arguments, summary,
       status, expires_at)
     VALUES ($1, $2, $3, 'c', 'n', '{}', '', 'pending', now() + interval '1 hour')`,
    [approvalId, run.id, owner.accountId],
  );
  return run;
}

async function stateOf(run: RunView) {
  const { rows } = await database.pool.query(
    `SELECT r.status, r.result, r.error, r.requires_action, r.started_at IS NOT NULL AS started,
          r.completed_at IS NOT NULL AS completed,
       c.active_run_id AS active, (SELECT status FROM approvals WHERE run_id = r.id) AS approval,
       (SELECT sum(amount_micros)::text FROM credit_holds WHERE run_id = r.id) AS held,
       (SELECT array_agg(text) FROM messages WHERE run_id = r.id AND role = 'assistant') AS said,
       (SELECT array_agg(line::jsonb ->> 'type' ORDER BY e.first_sequence)
        FROM run_events e, unnest(string_to_array(e.lines, E'\\n')) AS line
        WHERE e.run_id = r.id) AS lines,
       (SELECT closed_at IS NOT NULL FROM run_logs WHERE run_id = r.id) AS closed,
       (SELECT count(*)::int FROM webhook_deliveries WHERE run_id = r.id) AS deliveries,
       (SELECT count(*)::int FROM notifications WHERE run_id = r.id) AS notifications
     FROM runs r JOIN conversations c ON c.id = r.conversation_id WHERE r.id = $1`,
    [run.id],
  );
  return rows[0];
}

const available = async () =>
  (
    await database.pool.query("SELECT available_micros FROM accounts WHERE id = $1", [
      owner.accountId,
    ])
  ).rows[0].available_micros;

test.each([
  [
    "completed",
    "run.completed",
    { result: DONE.status === "completed" && DONE.result, error: null, said: ["It is done."] },
  ],
  [
    "failed",
    "run.failed",
    { result: null, error: { code: "TIMEOUT", message: "It took too long." }, said: null },
  ],
  ["cancelled", "run.failed", { result: null, error: null, said: null }],
] as const)(
  "a run that ends as %s shows it last, frees conversation and hold, and expires asks",
  async (status, line, more) => {
    const before = await available();
    const run = await running();
    expect(await settleRun(run.id, OUTCOMES[status], null)).toBe(true);
    expect(await stateOf(run)).toMatchObject({
      status,
      ...more,
      requires_action: null,
      started: true,
      completed: true,
      active: null,
      approval: "expired",
      held: null,
      lines: ["run.created", line],
      closed: true,
      deliveries: 0,
      notifications: 0,
    });
    expect(await available()).toBe(before);
  },
);

const MOVES: Record<"pending" | RunStatus, RunStatus[]> = {
  pending: ["failed", "cancelled"],
  running: ["completed", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
};
const PAIRS = (Object.keys(MOVES) as RunStatus[]).flatMap((from) =>
  (["completed", "failed", "cancelled"] as const).map(
    (to) => [from, to, MOVES[from].includes(to)] as const,
  ),
);

test.each(PAIRS)("a %s run that is to end as %s: %s", async (from, to, isMoved) => {
  const run = await running();
  await database.pool.query(
    `UPDATE runs SET status = $2, completed_at = CASE WHEN $2 IN ('pending', 'running') THEN NULL
       ELSE now() END WHERE id = $1`,
    [run.id, from],
  );
  expect(await settleRun(run.id, OUTCOMES[to], null)).toBe(isMoved);
  expect((await stateOf(run)).status).toBe(isMoved ? to : from);
});

test("a run that is cancelled before it began has no start", async () => {
  const run = await startTestRun(owner);
  await settleRun(run.id, CANCELLED, null);
  expect(await stateOf(run)).toMatchObject({
    status: "cancelled",
    started: false,
    completed: true,
  });
  const other = await startTestRun(owner);
  await settleRun(other.id, FAILED, null);
  expect(await stateOf(other)).toMatchObject({ status: "failed", started: true });
});

test("of two ends at once one wins, with one last line, message and release", async () => {
  const before = await available();
  const run = await running();
  // The one that comes second may find that its log was taken.
  const ends = await Promise.allSettled([
    settleRun(run.id, DONE, null),
    settleRun(run.id, CANCELLED, null),
  ]);
  expect(ends.filter((end) => end.status === "fulfilled" && end.value)).toHaveLength(1);
  const { lines, status, said } = await stateOf(run);
  expect([lines, said]).toEqual(
    status === "completed"
      ? [["run.created", "run.completed"], ["It is done."]]
      : [["run.created", "run.failed"], null],
  );
  expect(await available()).toBe(before);
});

test("an end that cannot store what belongs to it has not happened", async () => {
  const run = await running();
  const before = await stateOf(run);
  const broken = async () => {
    throw new Error("no room");
  };
  await expect(settleRun(run.id, DONE, null, broken)).rejects.toThrow("no room");
  expect(await stateOf(run)).toEqual(before);
});

test("an end sends one webhook and one notification where they were asked for", async () => {
  const run = await running({ webhookUrl: "https://93.184.216.34/hook", shouldNotify: true });
  await settleRun(run.id, DONE, null);
  await settleRun(run.id, FAILED, null);
  expect(await stateOf(run)).toMatchObject({ deliveries: 1, notifications: 1 });
  const { rows } = await database.pool.query(
    "SELECT url, status, payload FROM webhook_deliveries WHERE run_id = $1",
    [run.id],
  );
  expect(rows[0]).toMatchObject({ url: "https://93.184.216.34/hook", status: "pending" });
  expect(JSON.parse(rows[0].payload)).toMatchObject({
    runId: run.id,
    status: "completed",
    result: { text: "It is done." },
  });
});

test("a run ended without its last line gets it once from who finds it, ended only", async () => {
  const atWork = await running();
  expect(await closeEndedRun(atWork.id, null)).toBe(false);
  expect(await stateOf(atWork)).toMatchObject({ status: "running", lines: ["run.created"] });
  const before = await available();
  const run = await running();
  await transaction((tx) => moveRun(tx, run, DONE));
  expect(await stateOf(run)).toMatchObject({ status: "completed", lines: ["run.created"] });
  expect(await closeEndedRun(run.id, null)).toBe(true);
  expect(await closeEndedRun(run.id, null)).toBe(false);
  expect(await stateOf(run)).toMatchObject({
    lines: ["run.created", "run.completed"],
    held: null,
    closed: true,
  });
  expect(await available()).toBe(before);
});

test("there is nothing to end where there is no run", async () => {
  expect(await settleRun(newId(), DONE, null)).toBe(false);
  expect(await closeEndedRun(newId(), null)).toBe(false);
});

test("who looks while a run's end is being written waits for it", async () => {
  const looks = {
    commit: { run: await running(), ends: true },
    rollback: { run: await running(), ends: false },
  };
  for (const [how, { run, ends }] of Object.entries(looks)) {
    await database.pool.query("UPDATE runs SET requires_action = NULL WHERE id = $1", [run.id]);
    const writer = await database.pool.connect();
    try {
      await writer.query("BEGIN");
      await moveRun(writer, run, DONE);
      const looked = hasStopped(run.id);
      // Its answer, or that it stands behind the writer.
      const waits = async () => {
        const { rows } = await database.pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
             AND datname = current_database()`,
        );
        return rows.length > 0;
      };
      let isAnswered = false;
      void looked.then(() => {
        isAnswered = true;
      });
      while (!isAnswered && !(await waits())) await new Promise(setImmediate);
      await writer.query(how);
      expect(await looked).toBe(ends);
    } finally {
      writer.release();
    }
  }
});
