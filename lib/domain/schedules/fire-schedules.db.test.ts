import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { updateAccount } from "@/lib/domain/account/update-account";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { knownDraining, requestRun } from "@/lib/domain/runs/request-run";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { deleteSchedule } from "@/lib/domain/schedules/delete-schedule";
import { fireSchedules } from "@/lib/domain/schedules/fire-schedules";
import { listSchedules } from "@/lib/domain/schedules/list-schedules";
import { requireSchedule } from "@/lib/domain/schedules/schedule-record";
import { updateSchedule } from "@/lib/domain/schedules/update-schedule";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { isEngineReachable } from "@/lib/engine/client";
import { env } from "@/lib/env";
import type { Agent } from "@/lib/storage/generated/client";

vi.mock("@/lib/engine/client", async (original) => {
  const client = await original<typeof import("@/lib/engine/client")>();
  return { ...client, isEngineReachable: vi.fn(client.isEngineReachable) };
});

let database: DomainDatabase;
let owner: Principal;
let agent: Agent;
const DAILY = { cron: "0 9 * * *", timezone: "UTC", input: { text: "go" }, enabled: true };
const minutes = (count: number) => new Date(Date.now() + count * 60_000);

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  await database.pool.query("DELETE FROM schedules");
  owner = await database.account();
  agent = await insertTestAgent(owner);
});
afterAll(() => database.close());

/** A schedule whose time came a minute ago. */
async function due(draft: Partial<typeof DAILY> = {}, of = agent, by = owner) {
  const schedule = await createSchedule(by, of.id, { ...DAILY, ...draft });
  await database.pool.query("UPDATE schedules SET next_run_at = $2 WHERE id = $1", [
    schedule.id,
    minutes(-1),
  ]);
  return schedule;
}

async function runsOf(scheduleId: string) {
  const { rows } = await database.pool.query("SELECT * FROM runs WHERE schedule_id = $1", [
    scheduleId,
  ]);
  return rows;
}

test("a firing starts one ordinary run that names its schedule, and plans the next", async () => {
  const schedule = await due();
  const now = new Date();
  expect(await fireSchedules(now)).toBe(1);
  expect(await runsOf(schedule.id)).toMatchObject([
    {
      kind: "agent",
      status: "pending",
      agent_id: agent.id,
      account_id: owner.accountId,
      input: { text: "go" },
      metadata: { schedule_id: schedule.id },
    },
  ]);
  const after = await requireSchedule(owner, agent.id, schedule.id);
  expect(after.lastRunAt).toEqual(now);
  expect(after.nextRunAt?.getTime()).toBeGreaterThan(now.getTime());
  expect(after.nextRunAt?.toISOString()).toMatch(/T09:00:00.000Z$/);
  expect(await fireSchedules()).toBe(0);
});

test("however many processes fire at once, a firing starts and reserves one run", async () => {
  const schedules = await Promise.all(Array.from({ length: 5 }, () => due()));
  const started = await Promise.all(Array.from({ length: 6 }, () => fireSchedules()));
  expect(started.reduce((sum, count) => sum + count, 0)).toBe(5);
  for (const { id } of schedules) expect(await runsOf(id)).toHaveLength(1);
  const holds = await database.pool.query("SELECT 1 FROM credit_holds WHERE account_id = $1", [
    owner.accountId,
  ]);
  expect(holds.rowCount).toBe(5);
});

test("what was missed while nothing ran is made up for by one run", async () => {
  await updateAccount(owner, { caps: { schedule_minutes: 1 } });
  const schedule = await due({ cron: "* * * * *" });
  await database.pool.query("UPDATE schedules SET next_run_at = $2 WHERE id = $1", [
    schedule.id,
    minutes(-60 * 24 * 30),
  ]);
  expect(await fireSchedules()).toBe(1);
  expect(await fireSchedules()).toBe(0);
  expect(await runsOf(schedule.id)).toHaveLength(1);
});

test("what is not due, switched off or deleted does not fire", async () => {
  const later = await createSchedule(owner, agent.id, DAILY);
  const off = await due();
  await updateSchedule(owner, agent.id, off.id, { enabled: false });
  const gone = await due();
  await deleteSchedule(owner, agent.id, gone.id);
  expect(await fireSchedules()).toBe(0);
  for (const { id } of [later, off, gone]) expect(await runsOf(id)).toEqual([]);
  expect((await requireSchedule(owner, agent.id, off.id)).nextRunAt).toBeNull();
});

test.each([
  ["without credits", "UPDATE accounts SET available_micros = 0 WHERE id = $1"],
  ["of a blocked account", "UPDATE accounts SET blocked = true WHERE id = $1"],
  ["of an archived agent", "UPDATE agents SET status = 'archived' WHERE account_id = $1"],
  [
    "whose input no longer fits the agent",
    `UPDATE agents SET config = '{"version":1,"inputs":{"type":"object","required":["topic"]}}'
     WHERE account_id = $1`,
  ],
])(
  "a firing %s is skipped, not tried again, and keeps nobody else from theirs",
  async (_, spoil) => {
    const schedule = await due();
    await database.pool.query(spoil, [owner.accountId]);
    const neighbour = await database.account();
    const other = await due({}, await insertTestAgent(neighbour), neighbour);
    expect(await fireSchedules()).toBe(1);
    expect(await runsOf(other.id)).toHaveLength(1);
    expect(await runsOf(schedule.id)).toEqual([]);
    const after = await requireSchedule(owner, agent.id, schedule.id);
    expect(after.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
    expect(after.lastRunAt).toBeNull();
    expect(after.lastError).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      at: expect.any(String),
    });
  },
);

test("a schedule says why it has not fired until it has fired again", async () => {
  const schedule = await due();
  await database.pool.query("UPDATE accounts SET blocked = true WHERE id = $1", [owner.accountId]);
  const now = new Date();
  await fireSchedules(now);
  expect((await requireSchedule(owner, agent.id, schedule.id)).lastError).toMatchObject({
    code: "ACCOUNT_BLOCKED",
    at: now.toISOString(),
  });
  await database.pool.query("UPDATE accounts SET blocked = false WHERE id = $1", [owner.accountId]);
  await database.pool.query("UPDATE schedules SET next_run_at = $2 WHERE id = $1", [
    schedule.id,
    minutes(-1),
  ]);
  expect(await fireSchedules()).toBe(1);
  expect((await requireSchedule(owner, agent.id, schedule.id)).lastError).toBeNull();
});

test("firings count against the account's starts a minute; more wait, and say so", async () => {
  await updateAccount(owner, { runsPerMinute: 3 });
  const { apiKey } = await createKey(owner, { name: "k", agentId: null, expiresAt: null });
  await authenticateKey(apiKey, "account", "run");
  const schedules = await Promise.all(Array.from({ length: 4 }, () => due()));
  const started = await Promise.all([fireSchedules(), fireSchedules()]);
  expect(started.reduce((sum, count) => sum + count)).toBe(2);
  const waiting = await Promise.all(
    schedules.map(({ id }) => requireSchedule(owner, agent.id, id)),
  );
  const late = waiting.filter(({ lastRunAt }) => lastRunAt === null);
  expect(late).toHaveLength(2);
  expect(late.some(({ lastError }) => JSON.stringify(lastError).includes("RATE_LIMITED"))).toBe(
    true,
  );
  for (const { nextRunAt } of late) expect(nextRunAt?.getTime()).toBeLessThan(Date.now());
  await database.pool.query(
    "UPDATE minute_buckets SET window_started_at = window_started_at - interval '1 minute'",
  );
  expect(await fireSchedules()).toBe(2);
});

test("an account without starts a minute fires nothing, and hinders nobody", async () => {
  await updateAccount(owner, { runsPerMinute: 0 });
  await due();
  const neighbour = await database.account();
  await due({}, await insertTestAgent(neighbour), neighbour);
  expect(await fireSchedules()).toBe(1);
});

test("accounts are taken in turns: the others' first come before one's second", async () => {
  await updateAccount(owner, { runsPerMinute: 1000 });
  await database.pool.query(
    `INSERT INTO schedules (id, account_id, agent_id, cron, timezone, input, enabled, next_run_at,
       updated_at)
     SELECT gen_random_uuid(), $1, $2, '0 9 * * *', 'UTC', '{}', true, $3, now()
     FROM generate_series(1, 150)`,
    [owner.accountId, agent.id, minutes(-10)],
  );
  const neighbours = await Promise.all([database.account(), database.account()]);
  for (const neighbour of neighbours) await due({}, await insertTestAgent(neighbour), neighbour);
  expect(await fireSchedules()).toBe(152);
  const { rows } = await database.pool.query<{ account_id: string }>(
    "SELECT account_id FROM runs WHERE schedule_id IS NOT NULL ORDER BY id DESC LIMIT 152",
  );
  const order = rows.map(({ account_id }) => account_id).reverse();
  for (const { accountId } of neighbours) expect(order.indexOf(accountId)).toBeLessThan(3);
});

test("two firings lie at least five minutes apart, unless the account may have less", async () => {
  const often = { ...DAILY, cron: "*/4 * * * *" };
  const refused = {
    code: "INVALID_INPUT",
    extras: { details: [{ path: "cron", message: expect.stringContaining("at least 5 min") }] },
  };
  await expect(createSchedule(owner, agent.id, often)).rejects.toMatchObject(refused);
  const daily = await createSchedule(owner, agent.id, DAILY);
  await expect(
    updateSchedule(owner, agent.id, daily.id, { cron: often.cron }),
  ).rejects.toMatchObject(refused);
  await updateAccount(owner, { caps: { schedule_minutes: 4 } });
  await updateSchedule(owner, agent.id, daily.id, { cron: often.cron });
  await createSchedule(owner, agent.id, often);
});

test("an older, too frequent schedule is fired at the least distance, and switched", async () => {
  await updateAccount(owner, { caps: { schedule_minutes: 1 } });
  const schedule = await due({ cron: "* * * * *" });
  await updateAccount(owner, { caps: { schedule_minutes: null } });
  await updateSchedule(owner, agent.id, schedule.id, { enabled: false });
  await updateSchedule(owner, agent.id, schedule.id, { enabled: true });
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  await database.pool.query("UPDATE schedules SET next_run_at = $2 WHERE id = $1", [
    schedule.id,
    at,
  ]);
  expect(await fireSchedules(new Date(at.getTime() + 1500))).toBe(1);
  expect((await requireSchedule(owner, agent.id, schedule.id)).nextRunAt).toEqual(
    new Date(at.getTime() + 5 * 60_000),
  );
});

test("more schedules than one read gives all fire, each once", async () => {
  await updateAccount(owner, { runsPerMinute: 1000 });
  const { id: accountId } = { id: owner.accountId };
  await database.pool.query(
    `INSERT INTO schedules (id, account_id, agent_id, cron, timezone, input, enabled, next_run_at,
       updated_at)
     SELECT gen_random_uuid(), $1, $2, '0 9 * * *', 'UTC', '{}', true, $3, now()
     FROM generate_series(1, 230)`,
    [accountId, agent.id, minutes(-1)],
  );
  expect(await fireSchedules()).toBe(230);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS runs, count(DISTINCT schedule_id)::int AS schedules FROM runs
     WHERE account_id = $1`,
    [accountId],
  );
  expect(rows).toEqual([{ runs: 230, schedules: 230 }]);
});

test("a new input keeps the planned time; other times, or switching on, plan anew", async () => {
  const schedule = await due();
  const planned = (await requireSchedule(owner, agent.id, schedule.id)).nextRunAt;
  expect(
    (await updateSchedule(owner, agent.id, schedule.id, { input: { text: "else" } })).nextRunAt,
  ).toEqual(planned);
  const moved = await updateSchedule(owner, agent.id, schedule.id, {
    cron: "30 6 * * *",
    timezone: "Asia/Kolkata",
  });
  expect(moved.nextRunAt?.toISOString()).toMatch(/T01:00:00.000Z$/);
  await updateSchedule(owner, agent.id, schedule.id, { enabled: false });
  expect((await updateSchedule(owner, agent.id, schedule.id, { enabled: true })).nextRunAt).toEqual(
    moved.nextRunAt,
  );
});

test("of two patches at once neither is lost", async () => {
  const schedule = await createSchedule(owner, agent.id, DAILY);
  await Promise.all([
    updateSchedule(owner, agent.id, schedule.id, { cron: "5 5 * * *" }),
    updateSchedule(owner, agent.id, schedule.id, { input: { text: "both" } }),
  ]);
  expect(await requireSchedule(owner, agent.id, schedule.id)).toMatchObject({
    cron: "5 5 * * *",
    input: { text: "both" },
  });
});

test("a refused write stores nothing and costs no hourly write", async () => {
  const capped = { ...owner, writePerHour: 1 };
  await expect(
    createSchedule(capped, agent.id, { ...DAILY, cron: "0 0 30 2 *" }),
  ).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(
    createSchedule(capped, agent.id, { ...DAILY, timezone: "Mars/Base" }),
  ).rejects.toMatchObject({
    extras: { details: [{ path: "timezone", message: expect.any(String) }] },
  });
  await createSchedule(capped, agent.id, DAILY);
  await expect(createSchedule(capped, agent.id, DAILY)).rejects.toMatchObject({
    code: "RATE_LIMITED",
  });
  const [schedule] = (await listSchedules(owner, agent.id, { limit: 10, cursor: null })).data;
  await expect(
    updateSchedule(capped, agent.id, schedule?.id ?? "", { cron: "1 1 * * *" }),
  ).rejects.toMatchObject({ code: "RATE_LIMITED" });
  await expect(deleteSchedule(capped, agent.id, schedule?.id ?? "")).rejects.toMatchObject({
    code: "RATE_LIMITED",
  });
  expect((await listSchedules(owner, agent.id, { limit: 10, cursor: null })).data).toEqual([
    schedule,
  ]);
});

test("another account's schedule, and another agent's, is not there", async () => {
  const schedule = await createSchedule(owner, agent.id, DAILY);
  const stranger = await database.account();
  const theirs = await insertTestAgent(stranger);
  const second = await insertTestAgent(owner);
  await expect(
    listSchedules(stranger, agent.id, { limit: 10, cursor: null }),
  ).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
  await expect(
    updateSchedule(stranger, theirs.id, schedule.id, { enabled: false }),
  ).rejects.toMatchObject({ code: "SCHEDULE_NOT_FOUND" });
  await expect(deleteSchedule(owner, second.id, schedule.id)).rejects.toMatchObject({
    code: "SCHEDULE_NOT_FOUND",
  });
  expect((await requireSchedule(owner, agent.id, schedule.id)).enabled).toBe(true);
});

test("a firing that fails to start stays due, hinders nobody, and fires later", async () => {
  const [failing, other] = [await due({ input: { text: "fails" } }), await due()];
  await database.pool.query(
    `ALTER TABLE runs ADD CONSTRAINT failing CHECK (input <> '{"text":"fails"}') NOT VALID`,
  );
  const now = new Date();
  expect(await fireSchedules(now)).toBe(1);
  await database.pool.query("ALTER TABLE runs DROP CONSTRAINT failing");
  expect([await runsOf(failing.id), (await runsOf(other.id)).length]).toEqual([[], 1]);
  const after = await requireSchedule(owner, agent.id, failing.id);
  expect(after.nextRunAt?.getTime()).toBeLessThan(now.getTime());
  expect([after.lastRunAt, after.lastError]).toEqual([
    null,
    {
      code: "INTERNAL_ERROR",
      message:
        "The run could not be started by a failure of the service. It is tried again within a " +
        "minute.",
      at: now.toISOString(),
    },
  ]);
  expect((await requireSchedule(owner, agent.id, other.id)).lastError).toBeNull();
  expect(await fireSchedules()).toBe(1);
});

test("a schedule is due at its very time, and not a moment before", async () => {
  const schedule = await due();
  const at = minutes(10);
  await database.pool.query("UPDATE schedules SET next_run_at = $2 WHERE id = $1", [
    schedule.id,
    at,
  ]);
  expect(await fireSchedules(new Date(at.getTime() - 1))).toBe(0);
  expect(await fireSchedules(at)).toBe(1);
});

test("an unproven account fires nothing while mail is set up, nor starts a run", async () => {
  const schedule = await due();
  Object.assign(env(), { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "lathe@example.test" });
  expect(await fireSchedules()).toBe(0);
  expect(await runsOf(schedule.id)).toEqual([]);
  const skipped = await requireSchedule(owner, agent.id, schedule.id);
  expect(skipped.lastError).toMatchObject({
    code: "ACCOUNT_BLOCKED",
    message: expect.stringContaining("is not confirmed"),
  });
  const start = (principal: Principal) =>
    requestRun(principal, "agent", {
      agentId: agent.id,
      input: { text: "go" },
      conversationId: null,
      workspaceId: null,
      webhookUrl: null,
      shouldNotify: false,
      model: null,
      metadata: {},
      maxCreditsMicros: null,
    });
  await expect(start({ ...owner, unproven: true })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await updateAccount(owner, { proven: true });
  const again = await due();
  expect(await fireSchedules()).toBe(1);
  expect(await runsOf(again.id)).toHaveLength(1);
  Object.assign(env(), { SMTP_URL: "", MAIL_FROM: "" });
});

/** What a process keeps for some seconds: whether new runs are taken. */
function forgetDraining(): void {
  knownDraining().until = 0;
}

test("what comes due while the engine is drained stays due, says so, fires later", async () => {
  const schedules = [await due(), await due()];
  const before = await requireSchedule(owner, agent.id, schedules[0]?.id ?? "");
  await database.pool.query(
    `INSERT INTO service_identity (key_id, key_fingerprint, file_store, draining_since)
     VALUES ('k', 'f', 'disk:x', now())`,
  );
  forgetDraining();
  const now = new Date();
  expect(await fireSchedules(now)).toBe(0);
  const waiting = await requireSchedule(owner, agent.id, before.id);
  expect([waiting.nextRunAt, waiting.lastRunAt]).toEqual([before.nextRunAt, null]);
  expect(waiting.lastError).toMatchObject({ code: "SERVICE_UNAVAILABLE", at: now.toISOString() });
  await database.pool.query("UPDATE service_identity SET draining_since = NULL");
  forgetDraining();
  expect(await fireSchedules()).toBe(2);
  for (const { id } of schedules) {
    expect(await runsOf(id)).toHaveLength(1);
    expect((await requireSchedule(owner, agent.id, id)).lastError).toBeNull();
  }
});

test("a firing while the engine's server is away stays due, and others untried", async () => {
  const first = await due();
  const second = await due();
  const ranAt = minutes(-24 * 60);
  await database.pool.query("UPDATE schedules SET last_run_at = $1", [ranAt]);
  const before = await requireSchedule(owner, agent.id, first.id);
  vi.mocked(isEngineReachable).mockClear().mockResolvedValueOnce(false);
  expect(await fireSchedules()).toBe(0);
  expect(isEngineReachable).toHaveBeenCalledTimes(1);
  for (const { id } of [first, second]) {
    expect(await runsOf(id)).toEqual([]);
    const after = await requireSchedule(owner, agent.id, id);
    expect(after.nextRunAt?.getTime()).toBeLessThan(Date.now());
    expect(after.lastRunAt).toEqual(ranAt);
  }
  expect((await requireSchedule(owner, agent.id, first.id)).nextRunAt).toEqual(before.nextRunAt);
  const errors = await database.pool.query(
    "SELECT last_error ->> 'code' AS code FROM schedules ORDER BY code",
  );
  expect(errors.rows).toEqual([{ code: "SERVICE_UNAVAILABLE" }, { code: null }]);
  expect(await fireSchedules()).toBe(2);
});
