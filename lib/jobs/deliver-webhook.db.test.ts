import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createEndpoint } from "@/lib/domain/events/endpoints";
import type { Principal } from "@/lib/domain/principal";
import { acceptRun } from "@/lib/domain/runs/accept-run";
import { getRun } from "@/lib/domain/runs/run-view";
import { settleRun } from "@/lib/domain/runs/settle-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import {
  attemptDelivery,
  DELIVERY_TIMEOUT_MS,
  failDelivery,
} from "@/lib/domain/webhooks/attempt-delivery";
import { type DeliveryView, requireDelivery } from "@/lib/domain/webhooks/deliveries";
import { listDeliveries } from "@/lib/domain/webhooks/list-deliveries";
import { redeliver } from "@/lib/domain/webhooks/redeliver";
import { readSigningSecret, rotateSigningSecret } from "@/lib/domain/webhooks/signing-secret";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { createDeliverWebhook } from "@/lib/jobs/deliver-webhook";
import type { EgressAnswer } from "@/lib/platform/egress/egress-fetch";
import type { EgressRequest } from "@/lib/platform/egress/open-egress";
import { newId } from "@/lib/platform/ids";

interface Call {
  at: number;
  url: string;
  headers: Record<string, string>;
  body: string;
}
type Answer = (response: ServerResponse, call: Call) => void;

const receiver = createServer();
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const { port } = receiver.address() as AddressInfo; // listens on TCP
const key = Buffer.alloc(32, 7).toString("base64");

/** Ample for a receiver that answers, on a busy machine too. */
const TIMEOUT_MS = 4_000;

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
let calls: Call[] = [];
let answers: Answer[] = [];
const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body);

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      EGRESS_ALLOW: `127.0.0.1:${port}`,
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key }]),
      SIGNING_SECRET: key,
    },
  });
  receiver.on(
    "request",
    (request: IncomingMessage, response: ServerResponse) => void receive(request, response),
  );
  const functions = [createDeliverWebhook([60, 60, 60, 60], TIMEOUT_MS)];
  executor = await startEmbeddedExecutor({
    functions,
    pool: database.pool,
    concurrency: 10,
    backoffMs: () => 20,
  });
});
beforeEach(async () => {
  owner = await database.account();
  calls = [];
  answers = [];
});
afterAll(async () => {
  await executor.stop({ graceMs: 500 });
  receiver.closeAllConnections();
  receiver.close();
  await database.close();
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const call = {
    at: Date.now(),
    url: request.url ?? "",
    headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
  calls.push(call);
  (answers[Math.min(calls.length, answers.length) - 1] ?? status(204))(response, call);
}

/** A run that has ended, with a webhook. */
async function endedRun(url = `http://127.0.0.1:${port}/hook`, text = "done – ✓"): Promise<string> {
  const run = await acceptRun(owner, {
    kind: "agent",
    agentId: null,
    input: {},
    userText: "go",
    conversationId: null,
    workspaceId: null,
    webhookUrl: url,
    shouldNotify: false,
    model: "builtin/offline",
    metadata: {},
    maxCreditsMicros: null,
    releaseNote: null,
    scheduleId: null,
    estimateMicros: 1n,
    countsAsWrite: false,
  });
  if (!("id" in run)) throw new Error("there is no key to replay");
  await database.pool.query("UPDATE runs SET status = 'running' WHERE id = $1", [run.id]);
  await settleRun(run.id, { status: "completed", result: { text, artifacts: [] } }, null);
  return run.id;
}

async function deliveryOf(runId: string): Promise<DeliveryView> {
  const { data } = await listDeliveries(
    owner,
    { limit: 10, cursor: null },
    { runId, endpointId: null, status: null },
  );
  if (!data[0]) throw new Error("there is no delivery");
  return data[0];
}

async function settled(
  runId: string,
  wanted: "delivered" | "failed",
  attempts: number,
): Promise<DeliveryView> {
  await expect
    .poll(
      async () => {
        const delivery = await deliveryOf(runId);
        return `${delivery.status} ${delivery.attempts.length}`;
      },
      { interval: 25 },
    )
    .toBe(`${wanted} ${attempts}`);
  return deliveryOf(runId);
}

test("a 2xx delivers: signed by the account's secret, exactly, and the run says", async () => {
  const runId = await endedRun();
  const delivery = await settled(runId, "delivered", 1);
  expect(delivery.attempts).toMatchObject([
    { attempt: 1, statusCode: 204, error: null, responseBody: "" },
  ]);
  const [call] = calls;
  if (!call) throw new Error("nothing came");
  expect(call.headers["webhook-id"]).toBe(runId);
  const { secret } = await readSigningSecret(owner);
  expect(new Webhook(secret).verify(call.body, call.headers)).toMatchObject({
    runId,
    status: "completed",
    result: { text: "done – ✓" },
  });
  expect(() => new Webhook(secret).verify(`${call.body} `, call.headers)).toThrow();
  const run = await getRun(owner, runId);
  expect(run.webhookDeliveredAt?.getTime()).toBeGreaterThanOrEqual(
    run.completedAt?.getTime() ?? Number.POSITIVE_INFINITY,
  );
});

test("a receiver that keeps failing is called five times by one id, freshly timed", async () => {
  answers = [
    status(500, {}, "no"),
    status(404),
    status(302, { location: `http://127.0.0.1:${port}/elsewhere` }),
    (response) => response.destroy(),
    status(503),
  ];
  const runId = await endedRun();
  const delivery = await settled(runId, "failed", 5);
  expect(delivery.attempts.map((attempt) => attempt.statusCode)).toEqual([
    500,
    404,
    302,
    null,
    503,
  ]);
  expect(delivery.attempts.map((attempt) => attempt.attempt)).toEqual([1, 2, 3, 4, 5]);
  expect(delivery.attempts[0]?.responseBody).toBe("no");
  expect(delivery.attempts[3]?.error).toBeTruthy();
  expect(calls.map((call) => call.url)).toEqual(Array(5).fill("/hook"));
  expect(new Set(calls.map((call) => call.headers["webhook-id"]))).toEqual(new Set([runId]));
  expect((await getRun(owner, runId)).webhookDeliveredAt).toBeNull();
});

test("an endpoint is told of a waiting run within a second of its row, no beat", async () => {
  const url = `http://127.0.0.1:${port}/events`;
  await createEndpoint(owner, { url, events: ["run.requires_action"] });
  const took: number[] = [];
  for (let count = 1; count <= 5; count += 1) {
    const { id: runId } = await startTestRun(owner);
    const approval = newId();
    const { rows } = await database.pool.query<{ at: Date }>(
      `WITH asked AS (
         INSERT INTO approvals (id, run_id, account_id, tool_call_id, tool_name, arguments, summary,
           status, expires_at)
         VALUES ($1, $2, $3, 'c', 'pay', '{}', 'pay', 'pending', now() + interval '1 day')
         RETURNING created_at)
       UPDATE runs SET status = 'running', requires_action = jsonb_build_object('type',
         'approval', 'approval_id', $1::uuid)
       FROM asked WHERE id = $2 RETURNING asked.created_at AS at`,
      [approval, runId, owner.accountId],
    );
    await vi.waitFor(() => expect(calls).toHaveLength(count), { timeout: 10_000, interval: 5 });
    const call = calls[count - 1];
    expect(JSON.parse(call?.body ?? "")).toMatchObject({
      type: "run.requires_action",
      data: { run_id: runId, requires_action: { approval_id: approval } },
    });
    took.push((call?.at ?? 0) - (rows[0]?.at.getTime() ?? 0));
  }
  expect(Math.max(...took)).toBeLessThan(1_000);
});

test("410 stops at once", async () => {
  answers = [status(410)];
  const delivery = await settled(await endedRun(), "failed", 1);
  expect(delivery.attempts[0]?.statusCode).toBe(410);
});

test("Retry-After is honoured, in seconds and as a date", async () => {
  answers = [
    status(429, { "retry-after": "1" }),
    (response) =>
      response.writeHead(503, { "retry-after": new Date(Date.now() + 2_000).toUTCString() }).end(),
    status(200),
  ];
  await settled(await endedRun(), "delivered", 3);
  const [first, second, third] = calls.map((call) => call.at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990);
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(800); // a date has whole seconds
});

test("an endless answer is read up to 16 KiB and its first 2 KiB are logged", async () => {
  answers = [
    (response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write("x".repeat(8_192)) && !response.destroyed);
      };
      response.on("drain", more).on("error", () => {});
      more();
    },
  ];
  const delivery = await settled(await endedRun(), "delivered", 1);
  expect(delivery.attempts[0]?.responseBody).toBe("x".repeat(2048));
});

test("an answer of multi-byte, NUL and broken characters is logged whole up to 2 KiB", async () => {
  answers = [status(200, {}, `a${"é".repeat(2000)}`)];
  const wide = await settled(await endedRun(), "delivered", 1);
  expect(wide.attempts[0]?.responseBody).toBe(`a${"é".repeat(1023)}`);
  answers = [(response) => response.writeHead(200).end(Buffer.from([0, 255, 65]))];
  calls = [];
  const broken = await settled(await endedRun(), "delivered", 1);
  expect(broken.attempts[0]?.responseBody).toBe("\ufffd\ufffdA");
});

test("a receiver without an answer is given up after its time, which is ten seconds", async () => {
  answers = [() => {}, status(200)];
  const delivery = await settled(await endedRun(), "delivered", 2);
  expect(delivery.attempts[0]).toMatchObject({ statusCode: null, error: expect.any(String) });
  expect(delivery.attempts[0]?.durationMs).toBeGreaterThan(TIMEOUT_MS * 0.9);
  expect(DELIVERY_TIMEOUT_MS).toBe(10_000);
});

/**
 * An attempt at a delivery of which the engine knows nothing, with an answer of our own in place of
 * the network's, at a fixed time.
 */
async function attempted(
  answer: Partial<EgressAnswer>,
  asked: (request: EgressRequest) => void = () => {},
) {
  const [deliveryId, now] = [newId(), new Date("2026-01-31T12:00:00Z")];
  await database.pool.query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload)
     VALUES ($1, $2, $3, $4, 'pending', '{}')`,
    [deliveryId, newId(), owner.accountId, `http://127.0.0.1:${port}/hook`],
  );
  return attemptDelivery(deliveryId, 0, {
    now: () => now,
    fetch: async (_, request) => {
      asked(request);
      return {
        status: 503,
        headers: new Headers(),
        body: new Uint8Array(),
        ended: "complete",
        url: "",
        ...answer,
      };
    },
  });
}

test("a receiver has ten seconds to answer, of which sixteen KiB are read", async () => {
  const requests: EgressRequest[] = [];
  await attempted({ status: 204 }, (request) => requests.push(request));
  expect(requests).toMatchObject([{ method: "POST", timeoutMs: 10_000, maxResponseBytes: 16_384 }]);
});

test.each([
  ["86400", 3600],
  ["3600", 3600],
  ["90", 90],
  ["Sat, 31 Jan 2026 12:00:45 GMT", 45],
  ["Sun, 01 Feb 2026 12:00:00 GMT", 3600],
  ["Sat, 31 Jan 2026 11:59:00 GMT", null],
  ["0", null],
  ["-5", null],
  ["soon", null],
])(
  "Retry-After: %s asks for a pause of %s seconds: an hour at most, nothing where unsaid",
  async (header, seconds) => {
    expect(await attempted({ headers: new Headers({ "retry-after": header }) })).toEqual({
      outcome: "retry",
      retryAfterSeconds: seconds,
    });
  },
);

test("a delivery that cannot be signed says so and fails: nothing goes unsigned", async () => {
  await readSigningSecret(owner);
  await database.pool.query(
    `UPDATE webhook_secrets SET sealed = 's1.lost.' || split_part(sealed, '.', 3)
     WHERE account_id = $1`,
    [owner.accountId],
  );
  const delivery = await settled(await endedRun(), "failed", 5);
  expect(calls).toEqual([]);
  for (const attempt of delivery.attempts) {
    expect(attempt).toMatchObject({
      statusCode: null,
      error: expect.stringContaining("webhook secret cannot be opened on this server"),
    });
  }
});

test("a delivery that fails on our side is not left pending: it fails, and its log says why", {
  timeout: 60_000,
}, async () => {
  // Whatever the receiver answered cannot be stored.
  await database.pool.query(
    "ALTER TABLE webhook_attempts ADD CONSTRAINT no_answers CHECK (status_code IS NULL) NOT VALID",
  );
  try {
    const delivery = await settled(await endedRun(), "failed", 1);
    expect(delivery.attempts[0]).toMatchObject({
      statusCode: null,
      error: "The delivery failed on our side and was given up. Send it again.",
    });
  } finally {
    await database.pool.query("ALTER TABLE webhook_attempts DROP CONSTRAINT no_answers");
  }
});

test("a delivery that was sent again, or has ended, is not failed by an older round", async () => {
  const runId = await endedRun();
  const { id } = await settled(runId, "delivered", 1);
  await failDelivery(id, 0);
  expect(await settled(runId, "delivered", 1)).toMatchObject({ round: 0 });
  await database.pool.query(
    "UPDATE webhook_deliveries SET status = 'pending', round = 7 WHERE id = $1",
    [id],
  );
  await failDelivery(id, 6);
  expect(await deliveryOf(runId)).toMatchObject({ status: "pending", round: 7 });
});

test("a target that has become private is not called", async () => {
  const secret = createTcpServer(() =>
    calls.push({ at: 0, url: "reached", headers: {}, body: "" }),
  );
  await new Promise<void>((resolve) => secret.listen(0, "127.0.0.1", resolve));
  const delivery = await settled(
    await endedRun(`http://127.0.0.1:${(secret.address() as AddressInfo).port}/`),
    "failed",
    5,
  );
  secret.close();
  expect(calls).toEqual([]);
  expect(new Set(delivery.attempts.map((attempt) => attempt.statusCode))).toEqual(new Set([null]));
});

test("a redelivery sends again by the same id, and its attempts go on counting", async () => {
  answers = [status(410), status(200), status(200)];
  const runId = await endedRun();
  const { id } = await settled(runId, "failed", 1);
  expect((await redeliver(owner, id)).status).toBe("pending");
  await settled(runId, "delivered", 2);
  const deliveredAt = (await getRun(owner, runId)).webhookDeliveredAt;
  expect(deliveredAt).not.toBeNull();
  await redeliver(owner, id);
  const delivery = await settled(runId, "delivered", 3);
  expect(delivery.attempts.map((attempt) => attempt.attempt)).toEqual([1, 2, 3]);
  expect(new Set(calls.map((call) => call.headers["webhook-id"]))).toEqual(new Set([runId]));
  expect((await getRun(owner, runId)).webhookDeliveredAt).toEqual(deliveredAt);
});

test("a redelivery while an older round waits takes its place: one calls", async () => {
  answers = [status(503, { "retry-after": "2" }), status(503, { "retry-after": "3600" })];
  const runId = await endedRun();
  await expect
    .poll(async () => (await deliveryOf(runId)).attempts.length, { interval: 10 })
    .toBe(1);
  await redeliver(owner, (await deliveryOf(runId)).id);
  await expect.poll(() => calls.length, { interval: 10 }).toBe(2);
  // The old round wakes after its two seconds, finds itself replaced and ends; only the other one
  // still waits.
  const active = "SELECT 1 FROM engine_runs WHERE status = 'active'";
  await expect
    .poll(async () => (await database.pool.query(active)).rowCount, { interval: 50 })
    .toBe(1);
  expect(calls).toHaveLength(2);
  expect((await deliveryOf(runId)).status).toBe("pending");
});

test("after a rotation both secrets verify, until the overlap ends", async () => {
  const before = await readSigningSecret(owner);
  expect(await readSigningSecret(owner)).toEqual(before);
  const after = await rotateSigningSecret(owner, 60);
  expect(after.secret).not.toBe(before.secret);
  expect(after.previousExpiresAt?.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
  await settled(await endedRun(), "delivered", 1);
  for (const { secret } of [before, after])
    new Webhook(secret).verify(calls[0]?.body ?? "", calls[0]?.headers ?? {});
  await database.pool.query(
    `UPDATE webhook_secrets SET expires_at = now() WHERE account_id = $1
       AND expires_at IS NOT NULL`,
    [owner.accountId],
  );
  calls = [];
  await settled(await endedRun(), "delivered", 1);
  new Webhook(after.secret).verify(calls[0]?.body ?? "", calls[0]?.headers ?? {});
  expect(() =>
    new Webhook(before.secret).verify(calls[0]?.body ?? "", calls[0]?.headers ?? {}),
  ).toThrow();
  expect((await readSigningSecret(owner)).previousExpiresAt).toBeNull();
});

test("a rotation without an overlap ends the old secret; valid ones stay", async () => {
  const before = await readSigningSecret(owner);
  const after = await rotateSigningSecret(owner, 0);
  expect(after.previousExpiresAt).toBeNull();
  await settled(await endedRun(), "delivered", 1);
  expect(() =>
    new Webhook(before.secret).verify(calls[0]?.body ?? "", calls[0]?.headers ?? {}),
  ).toThrow();
  for (let count = 0; count < 4; count++) await rotateSigningSecret(owner, 60);
  await expect(rotateSigningSecret(owner, 60)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("two rotations at once leave one current secret", async () => {
  await readSigningSecret(owner);
  await Promise.all([rotateSigningSecret(owner, 60), rotateSigningSecret(owner, 60)]);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS all, count(*) FILTER (WHERE expires_at IS NULL)::int AS current
     FROM webhook_secrets WHERE account_id = $1`,
    [owner.accountId],
  );
  expect(rows).toEqual([{ all: 3, current: 1 }]);
});

test("another account's delivery is not there", async () => {
  const runId = await endedRun();
  const { id } = await settled(runId, "delivered", 1);
  const stranger = await database.account();
  await expect(requireDelivery(stranger, id)).rejects.toMatchObject({ code: "DELIVERY_NOT_FOUND" });
  await expect(redeliver(stranger, id)).rejects.toMatchObject({ code: "DELIVERY_NOT_FOUND" });
  await expect(requireDelivery(owner, newId())).rejects.toMatchObject({
    code: "DELIVERY_NOT_FOUND",
  });
  expect(
    (
      await listDeliveries(
        stranger,
        { limit: 10, cursor: null },
        { runId, endpointId: null, status: null },
      )
    ).data,
  ).toEqual([]);
  expect(calls).toHaveLength(1);
});
