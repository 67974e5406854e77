import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { acceptRun } from "@/lib/domain/runs/accept-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { columnList, givenKeysOf } from "@/lib/model/fields/field-table";
import { RUN_FIELDS } from "@/lib/model/run/run-fields";
import { newId } from "@/lib/platform/ids";

type RunRequest = Parameters<typeof acceptRun>[1];

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

const ESTIMATE = 250n;

function request(more: Partial<RunRequest> = {}): RunRequest {
  return {
    kind: "agent",
    agentId: null,
    input: { request: "Do it." },
    userText: "Do it.",
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: "builtin/offline",
    metadata: {},
    maxCreditsMicros: null,
    releaseNote: null,
    scheduleId: null,
    estimateMicros: ESTIMATE,
    countsAsWrite: false,
    ...more,
  };
}

async function accept(more: Partial<RunRequest> = {}, principal = owner): Promise<RunView> {
  const run = await acceptRun(principal, request(more));
  if ("replayed" in run) throw new Error("There is no key to replay.");
  return run;
}

function keyed(key: string, requestHash = "one body") {
  return {
    route: "POST /v1/runs",
    key,
    requestHash,
    answer: (run: RunView) => ({ status: 202, body: JSON.stringify({ run_id: run.id }) }),
  };
}

/** Everything of an account that a start may touch. */
async function books({ accountId } = owner) {
  const { rows } = await database.pool.query(
    `SELECT a.available_micros::text AS available,
       (SELECT coalesce(sum(amount_micros), 0)::text FROM credit_holds
       WHERE account_id = a.id) AS held,
       (SELECT count(*)::int FROM runs WHERE account_id = a.id) AS runs,
       (SELECT count(*)::int FROM conversations WHERE account_id = a.id) AS conversations,
       (SELECT count(*)::int FROM messages m JOIN conversations c ON c.id = m.conversation_id
        WHERE c.account_id = a.id) AS messages,
       (SELECT count(*)::int FROM idempotency_keys WHERE account_id = a.id) AS keys,
       (SELECT coalesce(max(count), 0)::int FROM hour_buckets
        WHERE key = 'write:' || a.id) AS writes
     FROM accounts a WHERE a.id = $1`,
    [accountId],
  );
  return rows[0];
}

/** By what its column holds, a value that no column has by default. */
const SAID: Record<string, unknown> = {
  uuid: newId(),
  text: "builtin/offline",
  boolean: true,
  integer: 7,
  bigint: 1_000_000_000n,
  // For whom it is stands in the metadata.
  jsonb: { key: "value", end_user: "builtin/offline" },
  "timestamp with time zone": new Date(0),
};

test("all that a request says of a run stands in its row", async () => {
  // A conversation must be there.
  const keys = givenKeysOf(RUN_FIELDS).filter(
    (key) => key !== "conversationId" && RUN_FIELDS[key].stored.type !== null,
  );
  const said = keys.map((key) => [key, SAID[RUN_FIELDS[key].stored.type ?? ""]]);
  const { id } = await accept(Object.fromEntries(said));
  const { rows } = await database.pool.query(
    `SELECT ${columnList(RUN_FIELDS, keys)} FROM runs WHERE id = $1`,
    [id],
  );
  const stored = { ...Object.fromEntries(said), maxCreditsMicros: "1000000000" };
  expect(rows).toEqual([stored]);
});

test("an accepted run has its row, conversation, log's first line, estimate", async () => {
  const before = await books();
  const run = await accept({ metadata: { customer: "c" } });
  expect(await books()).toEqual({
    ...before,
    available: String(BigInt(before.available) - ESTIMATE),
    held: String(ESTIMATE),
    runs: 1,
    conversations: 1,
    messages: 1,
  });
  const { rows } = await database.pool.query(
    `SELECT r.status, r.kind, r.metadata, c.active_run_id, m.role, m.text, e.first_sequence, e.lines
     FROM runs r
     JOIN conversations c ON c.id = r.conversation_id JOIN messages m ON m.run_id = r.id
     JOIN run_events e ON e.run_id = r.id WHERE r.id = $1`,
    [run.id],
  );
  expect(rows).toHaveLength(1);
  const { lines, ...row } = rows[0];
  expect(row).toMatchObject({
    status: "pending",
    kind: "agent",
    metadata: { customer: "c" },
    active_run_id: run.id,
    role: "user",
    text: "Do it.",
    first_sequence: 0,
  });
  expect(JSON.parse(lines)).toMatchObject({
    type: "run.created",
    sequence_number: 0,
    run_id: run.id,
    status: "pending",
  });
});

const REFUSALS: [
  what: string,
  code: string,
  refused: () => Promise<[Partial<RunRequest>, Principal?]>,
][] = [
  ["a blocked account", "ACCOUNT_BLOCKED", async () => [{}, { ...owner, blocked: true }]],
  [
    "an estimate beyond the wallet",
    "INSUFFICIENT_CREDITS",
    async () => [{ estimateMicros: 100_000_000_001n }],
  ],
  [
    "an estimate beyond the run's own limit",
    "INSUFFICIENT_CREDITS",
    async () => [{ maxCreditsMicros: ESTIMATE - 1n }],
  ],
  [
    "an estimate beyond the agent's limit",
    "INSUFFICIENT_CREDITS",
    async () => [{ maxCreditsMicros: ESTIMATE, agentMaxMicros: ESTIMATE - 1n }],
  ],
  [
    "a write too many",
    "RATE_LIMITED",
    async () => [{ countsAsWrite: true }, { ...owner, writePerHour: 0 }],
  ],
  [
    "a conversation that is busy",
    "CONVERSATION_BUSY",
    async () => [{ conversationId: (await accept()).conversationId }],
  ],
  [
    "another account's conversation",
    "CONVERSATION_NOT_FOUND",
    async () => [{ conversationId: (await accept({}, await database.account())).conversationId }],
  ],
  [
    "a conversation of another family",
    "CONVERSATION_NOT_FOUND",
    async () => [{ conversationId: (await accept({ kind: "agent_creation" })).conversationId }],
  ],
];

test.each(REFUSALS)(
  "%s is refused as %s, and leaves everything as it was, its key too",
  async (_, code, refused) => {
    const [more, principal = owner] = await refused();
    const before = await books();
    await expect(acceptRun(principal, request(more), keyed("k"))).rejects.toMatchObject({ code });
    expect(await books()).toEqual(before);
  },
);

test("an estimate of just the wallet and limits is accepted, a millionth more not", async () => {
  await database.pool.query("UPDATE accounts SET available_micros = $2 WHERE id = $1", [
    owner.accountId,
    ESTIMATE,
  ]);
  const limits = { maxCreditsMicros: ESTIMATE, agentMaxMicros: ESTIMATE };
  await expect(accept({ ...limits, estimateMicros: ESTIMATE + 1n })).rejects.toMatchObject({
    code: "INSUFFICIENT_CREDITS",
  });
  await accept(limits);
  expect(await books()).toMatchObject({ available: "0", held: String(ESTIMATE) });
});

test("what must become true with a run becomes true with it, or neither does", async () => {
  const before = await books();
  const claim = async () => {
    throw new Error("not so");
  };
  await expect(accept({ claim })).rejects.toThrow("not so");
  expect(await books()).toEqual(before);
});

test("only what counts as a write takes one of the hour", async () => {
  await accept();
  expect(await books()).toMatchObject({ writes: 0 });
  await accept({ countsAsWrite: true });
  expect(await books()).toMatchObject({ writes: 1 });
});

test("a key's second request has the first one's answer; another body conflicts", async () => {
  const key = newId();
  const first = await acceptRun(owner, request(), keyed(key));
  const after = await books();
  expect(await acceptRun(owner, request(), keyed(key))).toEqual({
    replayed: true,
    status: 202,
    body: JSON.stringify({ run_id: "id" in first && first.id }),
  });
  await expect(acceptRun(owner, request(), keyed(key, "another body"))).rejects.toMatchObject({
    code: "IDEMPOTENCY_CONFLICT",
  });
  expect(await books()).toEqual(after);
});

test("a kept answer is what the first was told, whatever its values, timed by row", async () => {
  const key = newId();
  const at = (text: string) => ({ said: text, now: new Date().toISOString() });
  const whole = {
    ...keyed(key),
    answer: ({ id, metadata, createdAt }: RunView) => ({
      status: 202,
      body: JSON.stringify({ id, metadata, created_at: createdAt.toISOString() }),
    }),
  };
  const first = await acceptRun(owner, request({ metadata: at("@created_at@") }), whole);
  if ("replayed" in first) throw new Error("There was no first request.");
  const again = await acceptRun(owner, request({ metadata: at("another") }), whole);
  expect(again).toMatchObject({ status: 202, body: whole.answer(first).body });
  const { rows } = await database.pool.query("SELECT created_at FROM runs WHERE id = $1", [
    first.id,
  ]);
  expect(rows).toEqual([{ created_at: first.createdAt }]);
});

test("a key is nothing at another route or account, or after its day, unswept", async () => {
  const key = newId();
  const other = await database.account();
  const starts = [
    await acceptRun(owner, request(), keyed(key)),
    await acceptRun(owner, request(), { ...keyed(key), route: "POST /v1/agents" }),
    await acceptRun(other, request(), keyed(key)),
  ];
  await database.pool.query(
    `UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second'
     WHERE account_id = $1`,
    [owner.accountId],
  );
  starts.push(await acceptRun(owner, request(), keyed(key, "another body")));
  const ids = starts.flatMap((start) => ("id" in start ? [start.id] : []));
  expect(new Set(ids).size).toBe(4);
});

test("of requests with one key at once one starts a run, the others have its answer", async () => {
  const key = newId();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      acceptRun(owner, request(), keyed(key)).catch((error) => error.code),
    ),
  );
  const started = answers.flatMap((answer) => ("id" in Object(answer) ? [answer.id] : []));
  expect(started).toHaveLength(1);
  for (const answer of answers)
    if (!("id" in Object(answer)))
      expect([
        { replayed: true, status: 202, body: JSON.stringify({ run_id: started[0] }) },
        "IDEMPOTENCY_CONFLICT",
      ]).toContainEqual(answer);
  expect(await books()).toMatchObject({ runs: 1, keys: 1, held: String(ESTIMATE) });
});

test("a request whose key is just being accepted is told to try again, and then is", async () => {
  const key = newId();
  const other = await database.pool.connect();
  await other.query("BEGIN");
  await other.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7))", [
    `${owner.accountId} POST /v1/runs ${key}`,
  ]);
  const refused = {
    code: "IDEMPOTENCY_CONFLICT",
    message: expect.stringContaining("still being accepted"),
  };
  await expect(acceptRun(owner, request(), keyed(key))).rejects.toMatchObject(refused);
  await other.query("ROLLBACK");
  other.release();
  expect(await acceptRun(owner, request(), keyed(key))).toMatchObject({ status: "pending" });
});
