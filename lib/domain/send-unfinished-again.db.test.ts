import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { type Lost, sendUnfinishedAgain } from "@/lib/domain/send-unfinished-again";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { requireDelivery } from "@/lib/domain/webhooks/deliveries";
import { giveUpDeliveries } from "@/lib/domain/webhooks/give-up-deliveries";
import { openRunLog } from "@/lib/engine/events/run-log-writer";
import { registerProcess } from "@/lib/engine/processes";
import { newId } from "@/lib/platform/ids";

const settings = {
  ...{ INNGEST_EVENT_KEY: "event-key", INNGEST_SIGNING_KEY: "signkey-test-00" },
  ...{ SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "lathe@example.test" },
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
});
beforeEach(async () => {
  owner = await database.account();
});
afterEach(async () => {
  for (const table of ["engine_events", "notifications", "webhook_deliveries", "runs"])
    await database.pool.query(`DELETE FROM ${table}`);
  await database.pool.query("DELETE FROM engine_processes");
});
afterAll(async () => {
  await database.close();
});

interface Run {
  status?: string;
  requiresAction?: object | null;
  createdSecondsAgo?: number;
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
    createdSecondsAgo = 660,
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
    `INSERT INTO conversations (id, account_id, family, updated_at)
     VALUES ($1, $2, 'agent', now())`,
    [conversationId, owner.accountId],
  );
  await database.pool.query(
    `INSERT INTO runs (id, started_at, account_id, kind, status, conversation_id, input, model,
       requires_action, created_at)
     VALUES ($1, ${ago}, $3, 'agent', $4, $5, '{}', 'm', $6, now() - make_interval(secs => $7))`,
    [
      id,
      startedMinutesAgo * 60,
      owner.accountId,
      status,
      conversationId,
      requiresAction && JSON.stringify(requiresAction),
      createdSecondsAgo,
    ],
  );
  await database.pool.query(
    "INSERT INTO run_logs (run_id, next_sequence, owner, closed_at) VALUES ($1, 2, $2, $3)",
    [id, process, isClosed ? new Date() : null],
  );
  await database.pool.query(
    `INSERT INTO run_events (run_id, created_at, first_sequence, last_sequence, lines)
     VALUES ($1, ${ago}, 0, 1, '')`,
    [id, lastLineMinutesAgo * 60],
  );
  return id;
}

interface Unsent {
  id: string;
  name: string;
  data: Record<string, unknown>;
}

/** Runs of an account that the server has work at once. */
const PLACES = 3;

/** Looks once for what was lost, and tells what is to be sent then. */
async function look(lost: Lost = "stalled"): Promise<Unsent[]> {
  await sendUnfinishedAgain(lost, PLACES);
  const { rows } = await database.pool.query<Unsent>(
    "SELECT id, name, data::json AS data FROM engine_events WHERE routed_at IS NULL ORDER BY id",
  );
  return rows;
}

/** The server takes all that is to be sent. */
async function send(secondsAgo = 0): Promise<void> {
  await database.pool.query(
    "UPDATE engine_events SET routed_at = now() - make_interval(secs => $1)",
    [secondsAgo],
  );
}

/** The ten minutes of the hour that the database is in: what is sent in them has one id. */
async function round(): Promise<string> {
  const { rows } = await database.pool.query<{ round: string }>(
    "SELECT floor(extract(epoch FROM now()) / 600)::text AS round",
  );
  return rows[0]?.round ?? "";
}

test("a run untouched for ten minutes is sent once a look, by an id of these", async () => {
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
    expect([runId, again]).toEqual([event.data.run_id, "again"]);
    expect(ids).toContain(number);
  }
});

test.each<[what: string, run: Run]>([
  ["has begun within ten minutes", { startedMinutesAgo: 9 }],
  ["has shown something within ten minutes", { lastLineMinutesAgo: 9 }],
  ["a living process holds", { ownerSecondsAgo: 5 }],
  ["waits for a person", { requiresAction: { type: "approval" } }],
  ["was accepted within a minute", { status: "pending", createdSecondsAgo: 55 }],
  ["has ended", { status: "failed" }],
  ["has ended its log", { isClosed: true }],
])("a run that %s is not sent", async (_, run) => {
  await insertRun(run);
  expect(await look()).toEqual([]);
});

test("a run that was taken up is not sent again, also while it has shown nothing yet", async () => {
  const id = await insertRun();
  expect(await look()).toHaveLength(1);
  await send();
  const process = await registerProcess(database.pool);
  const writer = await openRunLog(id);
  await database.pool.query("UPDATE run_logs SET owner = $2 WHERE run_id = $1", [id, process]);
  expect(await look()).toEqual([]);
  await writer?.close();
});

test("a run pending for more than a minute is sent by its own id, once a minute", async () => {
  const id = await insertRun({ status: "pending", createdSecondsAgo: 61 });
  expect((await look()).map((event) => event.id)).toEqual([id]);
  await send();
  expect(await look()).toEqual([]);
  await send(61);
  expect((await look()).map((event) => event.id)).toEqual([id]);
});

test("a run pending for ten minutes beside free places is sent by an id of these", async () => {
  const old = { status: "pending", createdSecondsAgo: 601 };
  const ids = [await insertRun(old), await insertRun(old), await insertRun(old)];
  const fresh = await insertRun({ status: "pending", createdSecondsAgo: 599 });
  const working = { startedMinutesAgo: 1, lastLineMinutesAgo: 0 };
  await insertRun(working);
  await insertRun({ ...working, requiresAction: { type: "approval" } });
  const again = (sent: Unsent[]) =>
    sent.flatMap(({ id, data }) => (id.includes(":again:") ? [data.run_id] : []));
  const sent = await look();
  expect(again(sent)).toEqual(ids.slice(0, 2));
  expect(sent.map(({ id }) => id)).toContain(fresh);
  await send();
  await database.pool.query("UPDATE runs SET status = 'running' WHERE id = $1", [ids[0]]);
  expect(again(await look())).toEqual([]);
  await database.pool.query("UPDATE runs SET status = 'completed' WHERE id = $1", [ids[0]]);
  expect(again(await look())).toEqual([ids[2]]);
});

test("of a server that forgot all, what had begun begins again, but held runs", async () => {
  const began = await insertRun({ startedMinutesAgo: 1, lastLineMinutesAgo: 1 });
  const waits = await insertRun({ requiresAction: { type: "approval" }, startedMinutesAgo: 1 });
  const pending = await insertRun({ status: "pending" });
  await insertRun({ startedMinutesAgo: 1, lastLineMinutesAgo: 1, ownerSecondsAgo: 1 });
  await insertRun({ status: "cancelled" });
  const again = await delivery({ minutesAgo: 2, attempts: [1] });
  const sent = await look("forgotten");
  expect(sent.map(({ id }) => id.replace(/again:.*/, "again")).toSorted()).toEqual(
    [`${began}:again`, `${waits}:again`, pending, `${again}:0:after-1`].toSorted(),
  );
});

test("several looks at once have a run sent once, and all that are lost found", async () => {
  await insertRun();
  for (let count = 0; count < 3; count++) await insertRun({ status: "pending" });
  await database.pool.query(
    `INSERT INTO notifications (id, account_id, run_id, title, body, created_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), 't', 'b', now() - interval '2 minutes'
     FROM generate_series(1, 1001)`,
    [owner.accountId],
  );
  const before = await round();
  await Promise.all([look(), look(), look()]);
  const rounds = new Set([before, await round()]);
  const sent = await look();
  const names = Map.groupBy(sent, ({ name }) => name);
  expect(names.get("notification/created")).toHaveLength(1001);
  // Were they to look on both sides of a full ten minutes, there would be an id for each.
  expect(names.get("run/accepted")?.length).toBeLessThanOrEqual(3 + rounds.size);
});

test("a notification that nobody has mailed is sent again for a day", async () => {
  const ids = await Promise.all(
    [30, 120, 25 * 3600].map(async (secondsAgo) => {
      const id = newId();
      await database.pool.query(
        `INSERT INTO notifications (id, account_id, run_id, title, body, created_at)
         VALUES ($1, $2, $3, 't', 'b', now() - make_interval(secs => $4))`,
        [id, owner.accountId, newId(), secondsAgo],
      );
      return id;
    }),
  );
  expect((await look()).map(({ id }) => id)).toEqual([ids[1]]);
  await database.pool.query("UPDATE notifications SET emailed_at = now()");
  await send(61);
  expect(await look()).toEqual([]);
});

interface PendingDelivery {
  /** When its round began. */
  minutesAgo: number;
  round?: number;
  /** Minutes since each of its attempts. */
  attempts?: number[];
  status?: string;
}

async function delivery({
  minutesAgo,
  round = 0,
  attempts = [],
  status = "pending",
}: PendingDelivery): Promise<string> {
  const id = newId();
  await database.pool.query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload, round,
       created_at, requested_at)
     VALUES ($1, $2, $3, 'https://example.com/hook', $4, '{}', $5, now() - interval '9 days',
       now() - make_interval(mins => $6))`,
    [id, newId(), owner.accountId, status, round, minutesAgo],
  );
  for (const [index, minutes] of attempts.entries())
    await database.pool.query(
      `INSERT INTO webhook_attempts (delivery_id, attempt, at, duration_ms)
       VALUES ($1, $2, now() - make_interval(mins => $3), 1)`,
      [id, index + 1, minutes],
    );
  return id;
}

test("a delivery that nobody attempts is told again, of any round or attempt", async () => {
  const first = await delivery({ minutesAgo: 2 });
  const again = await delivery({ minutesAgo: 2, round: 3, attempts: [5, 4] });
  const lost = await delivery({ minutesAgo: 200, attempts: [199, 181] });
  // The server knows the first id for a day, and may have given up what it began.
  const givenUp = await delivery({ minutesAgo: 11, round: 1, attempts: [20] });
  await delivery({ minutesAgo: 0 });
  await delivery({ minutesAgo: 2, attempts: [1] });
  await delivery({ minutesAgo: 200, attempts: [199, 110] });
  await delivery({ minutesAgo: 200, status: "failed" });
  const told = (await look()).map(({ id, data }) => [data.delivery_id, data.round, id]);
  expect(told.toSorted()).toEqual(
    [
      [first, 0, first],
      [again, 3, `${again}:3`],
      [lost, 0, `${lost}:0:after-2`],
      [givenUp, 1, `${givenUp}:1:after-1`],
    ].toSorted(),
  );
});

test("a delivery not brought within a day fails and says so, pending no more", async () => {
  const day = 24 * 60;
  const over = [
    await delivery({ minutesAgo: day + 1 }),
    await delivery({ minutesAgo: day + 1, round: 2, attempts: [day - 60] }),
  ];
  const others = [
    await delivery({ minutesAgo: day - 1 }),
    await delivery({ minutesAgo: day + 1, attempts: [30] }),
  ];
  expect((await look()).map(({ data }) => data.delivery_id)).toEqual([others[0]]);
  await giveUpDeliveries();
  const error = "The delivery failed on our side and was given up. Send it again.";
  for (const id of over) {
    const { status, attempts } = await requireDelivery(owner, id);
    expect([status, attempts.at(-1)?.error]).toEqual(["failed", error]);
  }
  for (const id of others) expect((await requireDelivery(owner, id)).status).toBe("pending");
});
