import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { type RunInput, requestRun } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun, testRunInput } from "@/lib/domain/test/start-test-run";
import { redeliver } from "@/lib/domain/webhooks/redeliver";
import { relay } from "@/lib/engine/server/relay";
import { lastAsked } from "@/lib/engine/server/server-mode";
import { newId } from "@/lib/platform/ids";

// The service with an Inngest server in place of the embedded executor.

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
let start: (more?: Partial<RunInput>) => Promise<RunView>;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    // A request without an encoding yields buffers.
    for await (const part of request) parts.push(part as Buffer);
    response.setHeader("content-type", "application/json");
    if (isAway) return void response.writeHead(503).end('{"error":"no"}');
    // How it is asked whether it is there: for the functions that it knows.
    if (request.method === "GET") return void response.writeHead(200).end('[{"id":"f"}]');
    // What the SDK sends to /e/KEY.
    const events = JSON.parse(Buffer.concat(parts).toString()) as Sent[];
    sent.push(...events);
    response.writeHead(200);
    response.end(JSON.stringify({ ids: events.map(({ id }) => id), status: 200 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // listens on TCP
  const address = {
    INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
    INNGEST_EVENT_KEY: "event-key",
    INNGEST_SIGNING_KEY: "signkey-test-00",
  };
  database = await openDomainDatabase({ env: { ...address, LOG_LEVEL: "silent" } });
  start = (more) => startTestRun(owner, more);
});
beforeEach(async () => {
  [sent, isAway] = [[], false];
  askAnew();
  owner = await database.account();
});
afterAll(async () => {
  await relay().idle();
  await database.close();
  server.close();
});

const query = (text: string, values: unknown[] = []) => database.pool.query(text, values);

/** An answer of the server's holds for a second. */
const askAnew = () => {
  lastAsked().asked = null;
};

/** The server goes away, and the service has noticed nothing yet. */
async function goAway(): Promise<void> {
  await relay().idle();
  isAway = true;
}

async function books() {
  const { rows } = await query(
    `SELECT available_micros, (SELECT count(*) FROM credit_holds WHERE account_id = a.id) AS holds,
       (SELECT count(*) FROM runs WHERE account_id = a.id) AS runs,
       (SELECT count(*) FROM conversations WHERE account_id = a.id) AS conversations,
       (SELECT count(*) FROM idempotency_keys WHERE account_id = a.id) AS keys,
       (SELECT count(*) FROM engine_events WHERE data LIKE '%' || a.id || '%') AS events,
       (SELECT count(*) FROM run_logs) AS logs
     FROM accounts a WHERE id = $1`,
    [owner.accountId],
  );
  return rows;
}

test("an accepted run is told to the server, under its own id", async () => {
  const { id } = await start();
  await relay().idle();
  expect(sent).toMatchObject([
    { id, name: "run/accepted", data: { run_id: id, account_id: owner.accountId } },
  ]);
});

test("while the server is away no run is accepted, and nothing of one is kept", async () => {
  await goAway();
  const before = await books();
  const refused = { code: "SERVICE_UNAVAILABLE", message: expect.stringContaining("No run was") };
  await expect(start()).rejects.toMatchObject(refused);
  const key = {
    ...{ route: "POST /v1/runs", key: newId(), requestHash: "h" },
    answer: ({ id }: RunView) => ({ status: 202, body: JSON.stringify({ run_id: id }) }),
  };
  await expect(requestRun(owner, "agent", testRunInput(), key)).rejects.toMatchObject(refused);
  expect(await books()).toEqual(before);
  isAway = false;
  askAnew();
  expect(await requestRun(owner, "agent", testRunInput(), key)).toMatchObject({
    status: "pending",
  });
});

test("while the server is away kept answers are given, and other refusals first", async () => {
  const key = {
    ...{ route: "POST /v1/runs", key: newId(), requestHash: "h" },
    answer: ({ id }: RunView) => ({ status: 202, body: JSON.stringify({ run_id: id }) }),
  };
  const run = await requestRun(owner, "agent", testRunInput(), key);
  if ("replayed" in run) throw new Error("replayed");
  await goAway();
  askAnew();
  expect(await requestRun(owner, "agent", testRunInput(), key)).toEqual({
    replayed: true,
    status: 202,
    body: JSON.stringify({ run_id: run.id }),
  });
  const { conversationId } = run;
  await expect(start({ conversationId })).rejects.toMatchObject({ code: "CONVERSATION_BUSY" });
  await query("UPDATE accounts SET available_micros = 0 WHERE id = $1", [owner.accountId]);
  await expect(start()).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
});

test("a run accepted as the server went stays so, and is told when it is back", async () => {
  await start();
  await goAway();
  // The server was there a moment ago: that is what this start goes by.
  const { id } = await start();
  await relay().idle();
  expect((await query("SELECT status FROM runs WHERE id = $1", [id])).rows).toEqual([
    { status: "pending" },
  ]);
  await query("UPDATE engine_events SET received_at = now() - interval '1 minute'");
  isAway = false;
  sent = [];
  const accepted = () => sent.flatMap((event) => (event.name === "run/accepted" ? [event.id] : []));
  await relay().sendWaiting();
  expect(accepted()).toEqual([id]);
  await relay().sendWaiting();
  expect(accepted()).toEqual([id]);
}, 20_000);

test("a cancel while the server is away holds, and the server hears of it later", async () => {
  const run = await start();
  await goAway();
  expect(await cancelRun(owner, run.id)).toMatchObject({ cancelled: true });
  await relay().idle();
  await query("UPDATE engine_events SET received_at = now() - interval '1 minute'");
  isAway = false;
  sent = [];
  await relay().sendWaiting();
  expect(sent).toMatchObject([{ name: "run/cancelled", data: { run_id: run.id } }]);
}, 20_000);

test("a delivery sent again is told to the server; while it is away it is refused", async () => {
  const run = await start();
  const deliveryId = newId();
  await query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload)
     VALUES ($1, $2, $3, 'https://example.com/hook', 'failed', '{}')`,
    [deliveryId, run.id, owner.accountId],
  );
  await relay().idle();
  sent = [];
  expect(await redeliver(owner, deliveryId)).toMatchObject({ status: "pending" });
  await relay().idle();
  expect(sent).toMatchObject([
    { id: `${deliveryId}:1`, name: "webhook/requested", data: { delivery_id: deliveryId } },
  ]);
  await query("UPDATE webhook_deliveries SET status = 'failed'");
  await goAway();
  askAnew();
  await expect(redeliver(owner, deliveryId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const { rows } = await query("SELECT status, round FROM webhook_deliveries WHERE id = $1", [
    deliveryId,
  ]);
  expect(rows).toEqual([{ status: "failed", round: 1 }]);
});
