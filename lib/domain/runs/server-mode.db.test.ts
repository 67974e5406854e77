import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import type { RunView } from "@/lib/domain/runs/run-view";
import type { DomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

// The service with an Inngest server in place of the embedded executor. The mode is read as modules
// are loaded, so they are once the server listens.

interface Sent {
  id: string;
  name: string;
  data: Record<string, string>;
}

let server: Server;
let database: DomainDatabase;
let owner: Principal;
let sent: Sent[];
let isAway: boolean;
let start: () => Promise<RunView>;
let resendPendingRuns: () => Promise<void>;
let resendDecisions: () => Promise<void>;
let redeliver: (principal: Principal, deliveryId: string) => Promise<{ status: string }>;
let requireDelivery: typeof import("@/lib/domain/webhooks/deliveries")["requireDelivery"];
let resendPendingDeliveries: typeof import("@/lib/domain/webhooks/resend-deliveries")["resendPendingDeliveries"];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer); // a request without an encoding yields buffers
    if (isAway)
      return void response
        .writeHead(401, { "content-type": "application/json" })
        .end('{"error":"no"}');
    const events = JSON.parse(Buffer.concat(parts).toString()) as Sent[]; // what the SDK sends to /e/KEY
    sent.push(...events);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ids: events.map(({ id }) => id), status: 200 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP
  const address = {
    INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
    INNGEST_EVENT_KEY: "event-key",
    INNGEST_SIGNING_KEY: "signkey-test-00",
  };
  Object.assign(process.env, address, { LOG_LEVEL: "silent" });
  const { openDomainDatabase } = await import("@/lib/domain/test/domain-database");
  const { startTestRun } = await import("@/lib/domain/test/start-test-run");
  ({ resendPendingRuns } = await import("@/lib/domain/runs/resend-pending-runs"));
  ({ resendDecisions } = await import("@/lib/domain/approvals/resend-decisions"));
  ({ requireDelivery } = await import("@/lib/domain/webhooks/deliveries"));
  ({ resendPendingDeliveries } = await import("@/lib/domain/webhooks/resend-deliveries"));
  ({ redeliver } = await import("@/lib/domain/webhooks/redeliver"));
  database = await openDomainDatabase();
  start = () => startTestRun(owner);
});
beforeEach(async () => {
  [sent, isAway] = [[], false];
  owner = await database.account();
});
afterAll(async () => {
  await database.close();
  server.close();
});

const query = (text: string, values: unknown[]) => database.pool.query(text, values);

test("an accepted run is told to the server, under its own id", async () => {
  const { id } = await start();
  expect(sent).toMatchObject([
    { id, name: "run/accepted", data: { run_id: id, account_id: owner.accountId } },
  ]);
});

test("a run that the server does not take was never accepted", async () => {
  isAway = true;
  const books = async () =>
    (
      await query(
        `SELECT available_micros, (SELECT count(*) FROM credit_holds WHERE account_id = a.id) AS holds, (SELECT count(*) FROM runs WHERE account_id = a.id) AS runs,
           (SELECT count(*) FROM conversations WHERE account_id = a.id) AS conversations FROM accounts a WHERE id = $1`,
        [owner.accountId],
      )
    ).rows;
  const before = await books();
  await expect(start()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(await books()).toEqual(before);
});

test("a run that has been pending for more than a minute is told again under its own id; a younger one, or one at work, is not", async () => {
  const [old, young, atWork] = [await start(), await start(), await start()];
  await query("UPDATE runs SET created_at = now() - interval '61 seconds' WHERE id = ANY($1)", [
    [old.id, atWork.id],
  ]);
  await query("UPDATE runs SET created_at = now() - interval '55 seconds' WHERE id = $1", [
    young.id,
  ]);
  await query("UPDATE runs SET status = 'running' WHERE id = $1", [atWork.id]);
  sent = [];
  await resendPendingRuns();
  expect(sent.map(({ id, name }) => [id, name])).toEqual([[old.id, "run/accepted"]]);
});

interface Decision {
  status?: string;
  secondsAgo?: number;
  isHeard?: boolean;
  runStatus?: string;
}

async function decided({
  status = "approved",
  secondsAgo = 61,
  isHeard = false,
  runStatus = "running",
}: Decision): Promise<string> {
  const run = await start();
  const id = newId();
  await query("UPDATE runs SET status = $2 WHERE id = $1", [run.id, runStatus]);
  await query(
    `INSERT INTO approvals (id, run_id, account_id, tool_call_id, tool_name, arguments, summary, status, expires_at, decided_at)
     VALUES ($1, $2, $3, 'c', 'n', '{}', '', $4, now() + interval '1 hour', now() - make_interval(secs => $5))`,
    [id, run.id, owner.accountId, status, secondsAgo],
  );
  if (isHeard)
    await query(
      "INSERT INTO run_tool_results (run_id, tool_call_id, turn, name, succeeded, output) VALUES ($1, 'c', 0, 'n', true, '{}')",
      [run.id],
    );
  return id;
}

test("a decision whose run has not gone on within a minute is told again; one that was heard, is fresh, or came to nothing is not", async () => {
  const lost = [await decided({}), await decided({ status: "rejected" })];
  for (const other of [
    { secondsAgo: 55 },
    { isHeard: true },
    { status: "pending" },
    { status: "expired" },
    { runStatus: "cancelled" },
  ])
    await decided(other);
  sent = [];
  await resendDecisions();
  expect(sent.map(({ name, data }) => [name, data.approval_id])).toEqual(
    lost.map((id) => ["approval/resolved", id]),
  );
  for (const { id, data } of sent) expect(id).not.toBe(data.approval_id);
});

test("one that the server does not take keeps nobody else from being told at the next look", async () => {
  const run = await start();
  await query("UPDATE runs SET created_at = now() - interval '2 minutes' WHERE id = $1", [run.id]);
  isAway = true;
  await expect(resendPendingRuns()).resolves.toBeUndefined();
  isAway = false;
  sent = [];
  await resendPendingRuns();
  expect(sent.map(({ id }) => id)).toContain(run.id);
});

test("a delivery that is sent again is told to the server; when it does not take that, the delivery has failed and its owner is told", async () => {
  const run = await start();
  const deliveryId = newId();
  await query(
    "INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload) VALUES ($1, $2, $3, 'https://example.com/hook', 'failed', '{}')",
    [deliveryId, run.id, owner.accountId],
  );
  sent = [];
  expect(await redeliver(owner, deliveryId)).toMatchObject({ status: "pending" });
  expect(sent).toMatchObject([{ name: "webhook/requested", data: { delivery_id: deliveryId } }]);
  isAway = true;
  await expect(redeliver(owner, deliveryId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const { rows } = await query("SELECT status, round FROM webhook_deliveries WHERE id = $1", [
    deliveryId,
  ]);
  expect(rows).toEqual([{ status: "failed", round: 2 }]);
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
  await query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload, round, created_at, requested_at)
     VALUES ($1, $2, $3, 'https://example.com/hook', $4, '{}', $5, now() - interval '9 days', now() - make_interval(mins => $6))`,
    [id, newId(), owner.accountId, status, round, minutesAgo],
  );
  for (const [index, minutes] of attempts.entries())
    await query(
      "INSERT INTO webhook_attempts (delivery_id, attempt, at, duration_ms) VALUES ($1, $2, now() - make_interval(mins => $3), 1)",
      [id, index + 1, minutes],
    );
  return id;
}

test("a delivery that nobody attempts is told again: of any round, and when the server has lost it between two attempts", async () => {
  await query("DELETE FROM webhook_deliveries", []);
  const first = await delivery({ minutesAgo: 2 });
  const again = await delivery({ minutesAgo: 2, round: 3, attempts: [5, 4] });
  const lost = await delivery({ minutesAgo: 200, attempts: [199, 181] });
  await delivery({ minutesAgo: 0 });
  await delivery({ minutesAgo: 2, attempts: [1] });
  await delivery({ minutesAgo: 200, attempts: [199, 110] });
  await delivery({ minutesAgo: 200, status: "failed" });
  sent = [];
  await resendPendingDeliveries();
  const told = sent.map(({ id, data }) => [data.delivery_id, data.round, id]);
  // Those of one millisecond come in any order.
  expect(told.sort()).toEqual(
    [
      [first, 0, first],
      [again, 3, `${again}:3`],
      [lost, 0, `${lost}:0:after-2`],
    ].sort(),
  );
});

test("what a redelivery told the server and what tells it again are one event", async () => {
  const id = await delivery({ minutesAgo: 600, status: "failed" });
  sent = [];
  await redeliver(owner, id);
  const { rows } = await query(
    "SELECT requested_at > now() - interval '10 seconds' AS fresh FROM webhook_deliveries WHERE id = $1",
    [id],
  );
  expect(rows).toEqual([{ fresh: true }]);
  await query(
    "UPDATE webhook_deliveries SET requested_at = now() - interval '2 minutes' WHERE id = $1",
    [id],
  );
  await resendPendingDeliveries();
  const ids = sent.filter(({ data }) => data.delivery_id === id).map((event) => event.id);
  expect(ids).toEqual([`${id}:1`, `${id}:1`]);
});

test("a delivery that nobody brought anywhere within a day fails and says so, instead of being pending for ever", async () => {
  await query("DELETE FROM webhook_deliveries", []);
  const day = 24 * 60;
  const over = [
    await delivery({ minutesAgo: day + 1 }),
    await delivery({ minutesAgo: day + 1, round: 2, attempts: [day - 60] }),
  ];
  const others = [
    await delivery({ minutesAgo: day - 1 }),
    await delivery({ minutesAgo: day + 1, attempts: [30] }),
  ];
  sent = [];
  await resendPendingDeliveries();
  expect(sent.map(({ data }) => data.delivery_id)).toEqual([others[0]]);
  const error = "The delivery failed on our side and was given up. Send it again.";
  for (const id of over) {
    const { status, attempts } = await requireDelivery(owner, id);
    expect([status, attempts.at(-1)?.error]).toEqual(["failed", error]);
  }
  for (const id of others) expect((await requireDelivery(owner, id)).status).toBe("pending");
});
