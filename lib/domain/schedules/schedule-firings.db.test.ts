import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAccount } from "@/lib/domain/account/update-account";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency } from "@/lib/domain/runs/accept-run";
import { deleteRun } from "@/lib/domain/runs/delete-run";
import { type Outcome, settleRun } from "@/lib/domain/runs/settle-run";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { deleteSchedule } from "@/lib/domain/schedules/delete-schedule";
import { fireSchedules } from "@/lib/domain/schedules/fire-schedules";
import { listFirings } from "@/lib/domain/schedules/list-firings";
import { runSchedule } from "@/lib/domain/schedules/run-schedule";
import { requireSchedule } from "@/lib/domain/schedules/schedule-record";
import { updateSchedule } from "@/lib/domain/schedules/update-schedule";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { FIRINGS_MAX } from "@/lib/model/schedule/firing-fields";
import {
  type NewSchedule,
  SCHEDULE_FAILURES_MAX,
  type ScheduleRecord,
} from "@/lib/model/schedule/schedule-fields";
import { newId } from "@/lib/platform/ids";
import type { Agent } from "@/lib/storage/generated/client";

let database: DomainDatabase;
let owner: Principal;
let agent: Agent;
const PAGE = { limit: 50, cursor: null };
const TOPIC = (required: string) =>
  `config: {version: 1, inputs: {type: object, properties: {${required}: {type: string}}, ` +
  `required: [${required}]}}\n`;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  await database.pool.query("DELETE FROM schedules");
  owner = await database.account();
  await updateAccount(owner, { runsPerMinute: 10_000 });
  agent = await newAgent(owner);
});
afterAll(() => database.close());

const schedule = (more: Partial<NewSchedule> = {}, of = agent) =>
  createSchedule(owner, of.id, { cron: "0 9 * * *", input: { text: "go" }, ...more });
const comesDue = (id: string) =>
  database.pool.query(
    "UPDATE schedules SET next_run_at = now() - interval '1 minute' WHERE id = $1 AND enabled",
    [id],
  );
const read = ({ id, agentId }: ScheduleRecord) => requireSchedule(owner, agentId, id);
const firings = async ({ id, agentId }: ScheduleRecord) =>
  (await listFirings(owner, agentId, id, PAGE)).data;
const told = async () =>
  (
    await database.pool.query<{ data: Record<string, unknown> }>(
      `SELECT data FROM account_events WHERE account_id = $1 AND type = 'schedule.failed'
       ORDER BY (data ->> 'failures')::int`,
      [owner.accountId],
    )
  ).rows.map(({ data }) => data);

async function fire(of: ScheduleRecord): Promise<void> {
  await comesDue(of.id);
  await fireSchedules();
}

async function end(of: ScheduleRecord, status: "completed" | "failed" | "cancelled") {
  const [firing] = await firings(of);
  await database.pool.query("UPDATE runs SET status = 'running' WHERE id = $1", [firing?.runId]);
  const outcome: Outcome =
    status === "completed"
      ? { status, result: { text: "ok", artifacts: [] } }
      : { status, error: { code: "TIMEOUT", message: "It took too long." } };
  expect(await settleRun(firing?.runId ?? "", outcome, null)).toBe(true);
}

async function fireAndEnd(of: ScheduleRecord, status: "completed" | "failed" | "cancelled") {
  await fire(of);
  await end(of, status);
}

test("each firing is listed, newest first, with its run, or why it was skipped", async () => {
  const made = await schedule();
  await fire(made);
  await end(made, "completed");
  await fireAndEnd(made, "failed");
  await database.pool.query("UPDATE accounts SET blocked = true WHERE id = $1", [owner.accountId]);
  await fire(made);
  await database.pool.query("UPDATE accounts SET blocked = false WHERE id = $1", [owner.accountId]);
  await fire(made);
  const list = await firings(made);
  expect(list).toMatchObject([
    { trigger: "time", outcome: "started", runStatus: "pending", error: null },
    { outcome: "skipped", runId: null, runStatus: null, error: { code: "ACCOUNT_BLOCKED" } },
    { outcome: "started", runStatus: "failed", error: { code: "TIMEOUT" } },
    { outcome: "started", runStatus: "completed", error: null },
  ]);
  for (const { at, firedAt } of list) expect(firedAt.getTime()).toBeGreaterThan(at.getTime());
  const first = await listFirings(owner, agent.id, made.id, { limit: 3, cursor: null });
  const second = await listFirings(owner, agent.id, made.id, {
    limit: 3,
    cursor: first.nextCursor,
  });
  expect([...first.data, ...second.data]).toEqual(list);
  expect(second.nextCursor).toBeNull();
});

test("however many processes fire at once, a firing is one, or none without run", async () => {
  const made = await schedule();
  await comesDue(made.id);
  await Promise.all(Array.from({ length: 5 }, () => fireSchedules()));
  expect(await firings(made)).toHaveLength(1);
  const failing = await schedule({ input: { text: "fails" } });
  await database.pool.query(
    `ALTER TABLE runs ADD CONSTRAINT failing CHECK (input <> '{"text":"fails"}') NOT VALID`,
  );
  await fire(failing);
  await database.pool.query("ALTER TABLE runs DROP CONSTRAINT failing");
  expect(await firings(failing)).toEqual([]);
  expect((await read(failing)).failures).toBe(0);
});

test("a firing outlives its run, not its schedule; the newest thousand are kept", async () => {
  const made = await schedule();
  await fireAndEnd(made, "failed");
  const [firing] = await firings(made);
  await deleteRun(owner, firing?.runId ?? "");
  expect(await firings(made)).toMatchObject([
    { id: firing?.id, runId: firing?.runId, runStatus: null, error: null },
  ]);
  await database.pool.query(
    `INSERT INTO schedule_firings (id, account_id, schedule_id, at, fired_at, trigger, outcome)
     SELECT new_id(), $1, $2, now(), now(), 'time', 'skipped' FROM generate_series(1, $3)`,
    [owner.accountId, made.id, FIRINGS_MAX + 5],
  );
  await fire(made);
  const kept = async () =>
    (await database.pool.query("SELECT id FROM schedule_firings WHERE schedule_id = $1", [made.id]))
      .rowCount;
  expect(await kept()).toBe(FIRINGS_MAX);
  expect((await firings(made))[0]?.outcome).toBe("started");
  await deleteSchedule(owner, agent.id, made.id);
  expect(await kept()).toBe(0);
});

test("a run is given the schedule's budget, webhook and version", async () => {
  const of = await newAgent(owner, TOPIC("topic"));
  const made = await schedule(
    {
      input: { topic: "x" },
      version: "1.0.0",
      maxCredits: 2.5,
      webhookUrl: "https://93.184.215.14/hook",
    },
    of,
  );
  expect(made).toMatchObject({ version: "1.0.0", agentVersion: 1, maxCredits: 2.5 });
  // Of the same label, with other inputs.
  await updateAgent(owner, of.id, {
    config: { version: 1, inputs: { type: "object", required: ["other"] } },
  });
  await fire(made);
  const { rows } = await database.pool.query("SELECT * FROM runs WHERE schedule_id = $1", [
    made.id,
  ]);
  expect(rows).toMatchObject([
    {
      agent_version: 1,
      max_credits_micros: "2500000",
      webhook_url: "https://93.184.215.14/hook",
      input: { topic: "x" },
      origin: "schedule",
    },
  ]);
  await expect(updateSchedule(owner, of.id, made.id, { version: null })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  const free = await updateSchedule(owner, of.id, made.id, {
    version: null,
    input: { other: 1 },
    maxCredits: null,
    webhookUrl: null,
  });
  expect(free).toMatchObject({
    version: null,
    agentVersion: null,
    maxCredits: null,
    webhookUrl: null,
  });
});

test("a schedule names versions of its agent alone, in each of their ways", async () => {
  const other = await newAgent(owner);
  const named = async (version: string | number) => (await schedule({ version })).agentVersion;
  expect(await named(agent.currentVersionId)).toBe(1);
  expect(await named(agent.currentVersionId.toUpperCase())).toBe(1);
  expect(await named("1.0.0")).toBe(1);
  expect(await named(1)).toBe(1);
  for (const version of [other.currentVersionId, newId(), "9.9.9", 2, "1"])
    await expect(schedule({ version })).rejects.toMatchObject({ code: "VERSION_NOT_FOUND" });
  const made = await schedule();
  await expect(
    updateSchedule(owner, agent.id, made.id, { version: "9.9.9" }),
  ).rejects.toMatchObject({ code: "VERSION_NOT_FOUND" });
});

test("a version kept by a schedule outlives the cap of versions; a gone one skips", async () => {
  await updateAccount(owner, { caps: { versions: 1 } });
  const made = await schedule({ version: 1 });
  for (const text of ["Second.", "Third."])
    await updateAgent(owner, agent.id, { skillContent: text });
  const numbers = await database.pool.query(
    "SELECT number FROM agent_versions WHERE agent_id = $1 ORDER BY number",
    [agent.id],
  );
  expect(numbers.rows.map(({ number }) => number)).toEqual([1, 3]);
  await database.pool.query("DELETE FROM agent_versions WHERE agent_id = $1 AND number = 1", [
    agent.id,
  ]);
  await fire(made);
  expect(await firings(made)).toMatchObject([
    { outcome: "skipped", error: { code: "VERSION_NOT_FOUND" } },
  ]);
});

test.each([
  ["runs that fail", (of: ScheduleRecord) => fireAndEnd(of, "failed"), "TIMEOUT"],
  [
    "firings that cannot start",
    async (of: ScheduleRecord) => {
      await database.pool.query("UPDATE agents SET status = 'archived' WHERE id = $1", [
        of.agentId,
      ]);
      await fire(of);
      await database.pool.query("UPDATE agents SET status = 'active' WHERE id = $1", [of.agentId]);
    },
    "CONFLICT",
  ],
])(
  "ten %s in a row pause a schedule: each is told once; switched on it begins anew",
  async (_, fail, code) => {
    const made = await schedule();
    for (let n = 1; n < SCHEDULE_FAILURES_MAX; n += 1) await fail(made);
    expect(await read(made)).toMatchObject({
      enabled: true,
      failures: SCHEDULE_FAILURES_MAX - 1,
      pausedAt: null,
    });
    await fail(made);
    const paused = await read(made);
    expect(paused).toMatchObject({
      enabled: false,
      nextRunAt: null,
      failures: SCHEDULE_FAILURES_MAX,
      pausedAt: expect.any(Date),
      pausedReason: expect.stringContaining(code),
    });
    const events = await told();
    expect(events.map(({ failures, paused }) => [failures, paused])).toEqual(
      Array.from({ length: SCHEDULE_FAILURES_MAX }, (_, n) => [
        n + 1,
        n + 1 === SCHEDULE_FAILURES_MAX,
      ]),
    );
    expect(events.at(-1)).toMatchObject({ schedule_id: made.id, agent_id: agent.id, code });
    const { rows } = await database.pool.query(
      "SELECT title, path, body FROM notifications WHERE account_id = $1 ORDER BY id",
      [owner.accountId],
    );
    expect(rows).toEqual(
      ["A schedule has failed", "A schedule was paused"].map((title) => ({
        title,
        path: `/agents/${agent.id}?tab=schedules`,
        body: expect.stringContaining(code),
      })),
    );
    const mails = await database.pool.query(
      `SELECT 1 FROM engine_events WHERE name = 'notification/created'
         AND data::jsonb ->> 'notification_id' IN (SELECT id::text FROM notifications
         WHERE account_id = $1)`,
      [owner.accountId],
    );
    expect(mails.rowCount).toBe(2);
    expect(await fireSchedules()).toBe(0);
    expect(await updateSchedule(owner, agent.id, made.id, { enabled: true })).toMatchObject({
      enabled: true,
      failures: 0,
      pausedAt: null,
      pausedReason: null,
      nextRunAt: expect.any(Date),
    });
  },
);

test("a success begins the count of failures anew; a cancelled run is neither", async () => {
  const made = await schedule();
  await fireAndEnd(made, "failed");
  await fireAndEnd(made, "failed");
  await fireAndEnd(made, "cancelled");
  expect((await read(made)).failures).toBe(2);
  await fireAndEnd(made, "completed");
  expect((await read(made)).failures).toBe(0);
  await fireAndEnd(made, "failed");
  expect((await read(made)).failures).toBe(1);
  // It fails and succeeds by turns: its owners are told of that once a day.
  const { rowCount } = await database.pool.query(
    `SELECT 1 FROM notifications WHERE account_id = $1
       AND starts_with(key, 'schedule:' || $2 || ':')`,
    [owner.accountId, made.id],
  );
  expect(rowCount).toBe(1);
});

test("a failed run's error stays with it: pause, event and bell name its code", async () => {
  const made = await schedule();
  for (let n = 0; n < SCHEDULE_FAILURES_MAX; n += 1) await fireAndEnd(made, "failed");
  const { rows } = await database.pool.query(
    `SELECT (SELECT json_agg(s) FROM schedules s WHERE account_id = $1)::text || (SELECT json_agg(n)
       FROM notifications n WHERE account_id = $1)::text
       || (SELECT json_agg(e) FROM account_events e
         WHERE account_id = $1)::text || (SELECT json_agg(f) FROM schedule_firings f
         WHERE account_id = $1)::text AS all`,
    [owner.accountId],
  );
  expect(rows[0].all).toContain("TIMEOUT");
  expect(rows[0].all).not.toContain("took too long");
});

/** A key under which `run` stands. */
function keyed(key: string): Idempotency {
  return {
    route: "runSchedule",
    key,
    requestHash: "same",
    answer: (run) => ({ status: 202, body: JSON.stringify({ run_id: run.id }) }),
  };
}

test("a schedule is fired by hand, switched off too: one firing, counted", async () => {
  const made = await schedule({ enabled: false, maxCredits: 3 });
  const run = await runSchedule(owner, agent.id, made.id);
  if ("replayed" in run) throw new Error("there is no key to replay");
  expect(run).toMatchObject({ status: "pending", metadata: { schedule_id: made.id } });
  expect(await firings(made)).toMatchObject([
    { trigger: "manual", outcome: "started", runId: run.id, runStatus: "pending" },
  ]);
  expect(await read(made)).toMatchObject({
    enabled: false,
    nextRunAt: null,
    lastRunAt: expect.any(Date),
  });
  const { rows } = await database.pool.query("SELECT origin FROM runs WHERE id = $1", [run.id]);
  expect(rows).toEqual([{ origin: "key" }]);
  await end(made, "failed");
  expect(await read(made)).toMatchObject({ failures: 1 });
});

test("by hand with one key it fires once and answers alike; other keys fire on", async () => {
  const made = await schedule();
  const answers = await Promise.allSettled(
    Array.from({ length: 4 }, () => runSchedule(owner, agent.id, made.id, keyed("k"))),
  );
  expect(answers.some(({ status }) => status === "fulfilled")).toBe(true);
  for (const answer of answers)
    if (answer.status === "rejected")
      expect(answer.reason).toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
  const [firing, ...others] = await firings(made);
  expect(others).toEqual([]);
  expect(await runSchedule(owner, agent.id, made.id, keyed("k"))).toMatchObject({
    replayed: true,
    body: JSON.stringify({ run_id: firing?.runId }),
  });
  expect(await firings(made)).toHaveLength(1);
  await runSchedule(owner, agent.id, made.id, keyed("other"));
  expect(await firings(made)).toHaveLength(2);
});

test("by hand, what is refused is no firing: another's, deleted, without credits", async () => {
  const made = await schedule();
  const stranger = await database.account();
  const other = await newAgent(owner);
  const refused = (by: Principal, of: string, id: string) =>
    runSchedule(by, of, id).then(
      () => "started",
      (error) => error.code,
    );
  expect(await refused(stranger, agent.id, made.id)).toBe("AGENT_NOT_FOUND");
  expect(await refused(owner, other.id, made.id)).toBe("SCHEDULE_NOT_FOUND");
  await expect(listFirings(stranger, agent.id, made.id, PAGE)).rejects.toMatchObject({
    code: "AGENT_NOT_FOUND",
  });
  await expect(listFirings(owner, other.id, made.id, PAGE)).rejects.toMatchObject({
    code: "SCHEDULE_NOT_FOUND",
  });
  await database.pool.query("UPDATE accounts SET available_micros = 0 WHERE id = $1", [
    owner.accountId,
  ]);
  expect(await refused(owner, agent.id, made.id)).toBe("INSUFFICIENT_CREDITS");
  expect(await firings(made)).toEqual([]);
  expect(await read(made)).toMatchObject({ failures: 0, lastRunAt: null, lastError: null });
  await deleteSchedule(owner, agent.id, made.id);
  expect(await refused(owner, agent.id, made.id)).toBe("SCHEDULE_NOT_FOUND");
});

test("a firing for a person begins with their row, as erasure does: no deadlock", async () => {
  const theirs = await schedule({ endUser: "ada" });
  const firing = { clock: () => fire(theirs), hand: () => runSchedule(owner, agent.id, theirs.id) };
  for (const by of [firing.clock, firing.hand]) {
    const client = await database.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT 1 FROM end_users WHERE account_id = $1 FOR UPDATE", [
        owner.accountId,
      ]);
      const fired = by();
      await expect
        .poll(async () => {
          const { rowCount } = await database.pool.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
               AND wait_event_type = 'Lock'`,
          );
          return rowCount;
        })
        .toBe(1);
      await client.query("SELECT 1 FROM schedules WHERE id = $1 FOR UPDATE NOWAIT", [theirs.id]);
      await client.query("COMMIT");
      await fired;
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  }
  expect(await firings(theirs)).toMatchObject([{ outcome: "started" }, { outcome: "started" }]);
});
