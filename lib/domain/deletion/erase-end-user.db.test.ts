import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { eraseEndUser, eraseMarkedEndUsers } from "@/lib/domain/deletion/erase-end-user";
import { requestErasure } from "@/lib/domain/deletion/request-erasure";
import { getEndUser, listEndUsers } from "@/lib/domain/end-users/end-user-view";
import { exportEndUser } from "@/lib/domain/end-users/export-end-user";
import { setEndUserLimits } from "@/lib/domain/end-users/set-end-user-limits";
import type { Principal } from "@/lib/domain/principal";
import { tablesWith } from "@/lib/domain/retention/remove-rows";
import { messageRun } from "@/lib/domain/runs/message-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun } from "@/lib/domain/runs/run-view";
import { sendMessage } from "@/lib/domain/runs/send-message";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertEndedRun } from "@/lib/domain/test/insert-ended-run";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun, testRunInput } from "@/lib/domain/test/start-test-run";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { ownedName } from "@/lib/model/secret/owned-name";
import { auditLines } from "@/lib/platform/audit-lines";
import { newId } from "@/lib/platform/ids";
import { logger } from "@/lib/platform/log";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import type { FileStore } from "@/lib/storage/files/file-store";
import { newFileKey } from "@/lib/storage/files/file-store";

/** A name that stands nowhere by itself. */
const PERSON = "zqx-planted-7f3a";
const folder = mkdtempSync(join(tmpdir(), "lathe-erasure-"));
let database: DomainDatabase;
let owner: Principal;
let logged = "";
let store: FileStore;
let failingDeletes = 0;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
  store = createDiskFileStore(folder);
  database.service.give(fileStore, {
    ...store,
    delete: (key) =>
      failingDeletes-- > 0 ? Promise.reject(new Error("the disk is away")) : store.delete(key),
  });
  const keep = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  database.service.give(logger, pino({ level: "debug" }, keep));
  database.service.give(auditLines, (line) => {
    logged += JSON.stringify(line);
  });
});
beforeEach(async () => {
  owner = await database.account();
  failingDeletes = 0;
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const ended = (id: string) => ({ id, accountId: owner.accountId, endUser: PERSON });

/** Columns that say which row it is, or of which kind: a text of one's own breaks them. */
const FIXED = new Set([
  "kind",
  "status",
  "family",
  "role",
  "origin",
  "storage_key",
  "step_key",
  "capability",
  "tool_call_id",
  "key",
  "hash",
  "route",
  "end_user",
]);

/**
 * Writes the name into every text and JSON of the rows of these runs, whatever tables there are.
 */
async function plantInRuns(runIds: string[]): Promise<string[]> {
  const tables = (await tablesWith(database.pool, "run_id")).filter(
    // Books hold no content, and notes outlive a run under another column.
    (table) =>
      !["ledger_entries", "operator_losses", "run_usage", "agent_versions"].includes(table),
  );
  const planted: string[] = [];
  for (const [table, by] of [
    ...tables.map((name) => [name, "run_id"] as const),
    ["runs", "id"] as const,
  ]) {
    const { rows } = await database.pool.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = $1 AND data_type IN ('text', 'jsonb')`,
      [table],
    );
    const changes = rows
      .filter(({ name }) => !FIXED.has(name))
      .map(({ name, type }) =>
        type === "text"
          ? `${pg.escapeIdentifier(name)} = '${PERSON} ' || coalesce(${pg.escapeIdentifier(name)},
              '')`
          : `${pg.escapeIdentifier(name)} = '{"planted": ["${PERSON}"]}'`,
      );
    if (changes.length === 0) continue;
    const { rowCount } = await database.pool.query(
      `UPDATE ${pg.escapeIdentifier(table)} SET ${changes.join(", ")} WHERE ${by} = ANY($1)`,
      [runIds],
    );
    if (rowCount) planted.push(table);
  }
  return planted;
}

/**
 * Where the name stands: tables by their rows as text, which are all of their columns; files; logs.
 */
async function placesOf(name: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ table: string }>(
    `SELECT table_name AS table FROM information_schema.tables WHERE table_schema = 'public'
       AND table_type = 'BASE TABLE'`,
  );
  expect(rows.length).toBeGreaterThan(50);
  const hex = Buffer.from(name).toString("hex");
  const places: string[] = [];
  for (const { table } of rows) {
    const found = await database.pool.query(
      `SELECT 1 FROM ${pg.escapeIdentifier(table)} t WHERE strpos(t::text, $1) > 0
         OR strpos(t::text, $2) > 0 LIMIT 1`,
      [name, hex],
    );
    if (found.rowCount) places.push(table);
  }
  if (filesOf(folder).some((path) => readFileSync(path).includes(name))) places.push("files");
  if (logged.includes(name)) places.push("log");
  return places.sort();
}

function filesOf(path: string): string[] {
  return readdirSync(path).flatMap((name) => {
    const inner = join(path, name);
    return statSync(inner).isDirectory() ? filesOf(inner) : [inner];
  });
}

async function put(text: string, accountId = owner.accountId): Promise<string> {
  const key = newFileKey(accountId);
  await store.put(key, new Blob([text]).stream(), { maxBytes: 100 });
  return key;
}

/** A person with something in every place where there may be something of them. */
async function plant(): Promise<{ runId: string; pendingId: string; agentId: string }> {
  const { accountId } = owner;
  const { id: agentId } = await newAgent(owner);
  const said = { endUser: PERSON, input: { text: `I am ${PERSON}.` }, metadata: { topic: PERSON } };
  const workspace = await createWorkspace(owner, { name: "Papers", description: null });
  const answer = { status: 202, body: JSON.stringify({ said: PERSON }) };
  const pending = await requestRun(
    owner,
    "agent",
    { ...said, agentId, shouldNotify: true, workspaceId: workspace.id },
    { route: `start ${PERSON}`, key: PERSON, requestHash: "h", answer: () => answer },
  );
  if ("replayed" in pending) throw new Error("it was started before");
  const { runId, conversationId } = await insertEndedRun(owner, new Date(Date.now() - 60_000));
  const query = (text: string, values: unknown[]) => database.pool.query(text, values);
  await query("UPDATE runs SET end_user = $2, agent_id = $3, workspace_id = $4 WHERE id = $1", [
    runId,
    PERSON,
    agentId,
    workspace.id,
  ]);
  await query("UPDATE conversations SET end_user = $2 WHERE id = $1", [conversationId, PERSON]);
  await query("UPDATE run_usage SET end_user = $2 WHERE run_id = $1", [runId, PERSON]);
  for (const table of ["artifacts", "run_files"])
    await query(`UPDATE ${table} SET storage_key = $2 WHERE run_id = $1`, [
      runId,
      await put(`of ${PERSON}`),
    ]);
  await query(
    `INSERT INTO workspace_files (id, account_id, workspace_id, path, size_bytes, content_type,
       sha256, storage_key, step_key, updated_at)
     VALUES ($1, $2, $3, $4, 5, 'text/plain', 'x', $5, $6, now()),
       ($7, $2, $3, 'of-others.txt', 5, 'text/plain', 'x', $8, NULL, now())`,
    [
      newId(),
      accountId,
      workspace.id,
      `${PERSON}.txt`,
      await put(PERSON),
      `${runId}:call-1`,
      newId(),
      await put("kept"),
    ],
  );
  await query("UPDATE accounts SET files_bytes = files_bytes + 10 WHERE id = $1", [accountId]);
  await query(
    `INSERT INTO agent_memories (id, account_id, agent_id, end_user, text, made_by_run,
       made_by_call) VALUES ($1, $2, $3, $4, $5, $6, 'c')`,
    [newId(), accountId, agentId, PERSON, `${PERSON} likes tea.`, runId],
  );
  await query(
    `INSERT INTO audit_events (id, account_id, actor_kind, action, object_kind, object_id,
       object_label, changes, created_at)
     SELECT $1, $2, 'key', 'approval.approved', 'approval', p.id, $3,
       jsonb_build_object('message', $3::text), now() FROM approvals p WHERE p.run_id = $4`,
    [newId(), accountId, PERSON, runId],
  );
  await query(
    `INSERT INTO account_events (id, account_id, type, data)
     VALUES ($1, $2, 'run.requires_action', $3)`,
    [newId(), accountId, JSON.stringify({ run_id: runId, question: PERSON })],
  );
  await createSchedule(owner, agentId, {
    cron: "0 9 1 1 *",
    input: { text: PERSON },
    endUser: PERSON,
  });
  await setEndUserLimits(owner, PERSON, { maxCreditsPerDay: 1_000 });
  await createSecret(owner, {
    ...{ name: "CRM_KEY", endUser: PERSON, value: PERSON, description: `Of ${PERSON}` },
    allowedHosts: ["api.example.com"],
  });
  await query(
    `INSERT INTO mcp_connections (id, account_id, server_url, end_user, scopes, sealed, status,
       last_error)
     VALUES ($1, $2, $3, $4, '{}', 'x', 'connected', $5)`,
    [
      newId(),
      accountId,
      ownedName("https://mcp.example.com/", PERSON),
      PERSON,
      `${PERSON} was refused.`,
    ],
  );
  await query(
    `INSERT INTO webhook_endpoints (id, account_id, url, events, enabled, updated_at)
     VALUES ($1, $2, 'https://example.com/events', '{connection.needs_sign_in}', true, now())`,
    [newId(), accountId],
  );
  // Its trigger tells of it: in the feed, and on the way to the endpoint.
  await query("UPDATE mcp_connections SET status = 'needs_sign_in' WHERE account_id = $1", [
    accountId,
  ]);
  await query(
    `INSERT INTO webhook_attempts (delivery_id, attempt, at, duration_ms, status_code,
       response_body)
     SELECT id, 1, now(), 1, 500, $2 FROM webhook_deliveries WHERE account_id = $1
       AND event_type = 'connection.needs_sign_in'`,
    [accountId, `${PERSON} is not known here.`],
  );
  await query(
    `INSERT INTO mcp_listings (account_id, listing_key, definitions, listed_at, fresh_until)
     VALUES ($1, 'k', $2, now(), now())`,
    [accountId, JSON.stringify([{ name: `tickets_of_${PERSON}` }])],
  );
  const planted = await plantInRuns([runId]);
  // Their run alone was shown it.
  await query("UPDATE prompts SET tools = $2 WHERE account_id = $1", [
    accountId,
    JSON.stringify([{ name: `tickets_of_${PERSON}` }]),
  ]);
  expect(planted).toEqual(
    expect.arrayContaining([
      "approvals",
      "artifacts",
      "client_tool_calls",
      "conversation_summaries",
      "messages",
      "notifications",
      "run_events",
      "run_files",
      "run_spans",
      "run_tool_results",
      "run_turns",
      "runs",
      "webhook_deliveries",
    ]),
  );
  return { runId, pendingId: pending.id, agentId };
}

async function idOf(endUser = PERSON): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM end_users WHERE account_id = $1 AND end_user = $2",
    [owner.accountId, endUser],
  );
  return rows[0]?.id ?? "";
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: { code?: string }) => String(error.code ?? error),
  );

test("of an erased person nothing is left in tables, files, logs; a receipt counts", async () => {
  await plant();
  expect(await placesOf(PERSON)).toEqual(
    expect.arrayContaining([
      "account_events",
      "agent_memories",
      "audit_events",
      "conversations",
      "end_users",
      "files",
      "idempotency_keys",
      "mcp_connections",
      "mcp_listings",
      "prompts",
      "run_usage",
      "schedules",
      "secrets",
      "webhook_attempts",
      "webhook_deliveries",
      "workspace_files",
    ]),
  );
  const { filesBytes, books } = await booksOf();
  await requestErasure(owner, PERSON);
  expect(await getEndUser(owner, PERSON)).toMatchObject({ status: "erasing" });
  expect(await eraseMarkedEndUsers(60_000)).toBe(true);
  expect(await placesOf(PERSON)).toEqual([]);
  await expect(getEndUser(owner, PERSON)).rejects.toMatchObject({
    code: "END_USER_ERASED",
    extras: {
      deleted: {
        runs: 2,
        conversations: 2,
        memories: 1,
        files: 2,
        artifacts: 1,
        traces: 1,
        requests: 0,
      },
    },
  });
  expect(await codeOf(requestErasure(owner, PERSON))).toBe("END_USER_ERASED");
  const after = await booksOf();
  expect(after.books).toEqual(books);
  expect(Number(filesBytes) - Number(after.filesBytes)).toBe(5 + 5);
  const kept = await database.pool.query("SELECT path FROM workspace_files WHERE account_id = $1", [
    owner.accountId,
  ]);
  expect(kept.rows).toEqual([{ path: "of-others.txt" }]);
  expect(filesOf(folder).map((path) => readFileSync(path, "utf8"))).toContain("kept");
});

test("answers kept for what was said to their runs go too, of gone runs also", async () => {
  const run = await startTestRun(owner, { endUser: PERSON });
  const ofClient = `sendAppMessage for ${JSON.stringify([PERSON, null])} {}`;
  const kept = (route: string) => ({
    ...{ route, key: newId(), requestHash: "h" },
    answer: (told: object) => ({
      status: 202,
      body: JSON.stringify(told, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    }),
  });
  const more = { conversationId: run.conversationId, ifBusy: "steer" as const };
  const steered = await requestRun(
    owner,
    "agent",
    testRunInput({ ...more, endUser: PERSON, input: { text: "Shorter." } }),
    kept("createRun {}"),
  );
  expect(steered).toMatchObject({ id: run.id, message: { position: 1 } });
  for (const when of ["next_step", "after"] as const)
    await messageRun(owner, run.id, { input: "And cheaper.", when }, kept(ofClient));
  for (const [route, body] of [
    [ofClient, { messageId: newId() }],
    ["createRun {}", { run_id: newId(), end_user: PERSON }],
    ["createAppRun {}", { runId: newId(), endUser: PERSON }],
    ["createRun {}", { run_id: newId(), end_user: `${PERSON}-2` }],
    ["createRun {}", { run_id: newId(), input: { text: `{"end_user":"${PERSON}"}` } }],
  ] as const)
    await database.pool.query(
      `INSERT INTO idempotency_keys (account_id, route, key, request_hash, status, body,
         accepted_run)
       VALUES ($1, $2, $3, 'h', 202, $4, $5)`,
      [owner.accountId, route, newId(), JSON.stringify(body), newId()],
    );
  const keys = async () => {
    const { rows } = await database.pool.query<{ body: string }>(
      "SELECT body FROM idempotency_keys WHERE account_id = $1",
      [owner.accountId],
    );
    return rows.map(({ body }) => JSON.parse(body));
  };
  expect(await keys()).toHaveLength(8);
  await requestErasure(owner, PERSON);
  expect(await eraseMarkedEndUsers(60_000)).toBe(true);
  expect(await keys()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ end_user: `${PERSON}-2` }),
      expect.objectContaining({ input: expect.anything() }),
    ]),
  );
  expect(await keys()).toHaveLength(2);
  await database.pool.query("DELETE FROM idempotency_keys WHERE account_id = $1", [
    owner.accountId,
  ]);
});

/** What the account has spent, by whomever, and the space that its files take. */
async function booksOf() {
  const { rows } = await database.pool.query<{ filesBytes: string; books: string }>(
    `SELECT files_bytes AS "filesBytes",
       (SELECT sum(amount_micros) FROM ledger_entries WHERE account_id = a.id)
       || ' ' || (SELECT sum(credits_micros) FROM run_usage WHERE account_id = a.id) AS books
     FROM accounts a WHERE id = $1`,
    [owner.accountId],
  );
  const [row] = rows;
  if (!row) throw new Error("there is no such account");
  return row;
}

test("wherever it is cut off, it goes on, and counts each thing once", async () => {
  await plant();
  await requestErasure(owner, PERSON);
  const id = await idOf();
  let cuts = 0;
  failingDeletes = 2;
  for (let allowed = 0; ; allowed++) {
    let left = allowed;
    const done = await eraseEndUser(ended(id), () => left-- <= 0).catch(() => false);
    if (done) break;
    cuts += 1;
    expect(cuts).toBeLessThan(50);
  }
  expect(cuts).toBeGreaterThan(10);
  expect(await placesOf(PERSON)).toEqual([]);
  await expect(getEndUser(owner, PERSON)).rejects.toMatchObject({
    extras: { deleted: { runs: 2, conversations: 2, memories: 1, files: 2, artifacts: 1 } },
  });
});

test("another account's person of the same name, and everybody else's things, stay", async () => {
  const stranger = await database.account();
  const theirs = await startTestRun(stranger, { endUser: PERSON });
  const others = await startTestRun(owner, { endUser: `${PERSON}-2` });
  const nobodys = await startTestRun(owner, {});
  await startTestRun(owner, { endUser: PERSON });
  expect(await codeOf(requestErasure(stranger, `${PERSON}-2`))).toBe("END_USER_NOT_FOUND");
  const told = [
    [stranger, PERSON],
    [owner, `${PERSON}-2`],
    [owner, null],
  ] as const;
  for (const [{ accountId }, endUser] of told)
    await database.pool.query(
      `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, url,
         status, payload)
       VALUES ($1, $2, $1, $1, 'connection.needs_sign_in', 'https://example.com', 'delivered', $3)`,
      [newId(), accountId, JSON.stringify({ data: endUser ? { end_user: endUser } : {} })],
    );
  for (const [{ accountId }, run] of [
    [stranger, theirs],
    [owner, others],
  ] as const)
    await database.pool.query(
      `WITH shown AS (INSERT INTO prompts (id, account_id, hash, system, tools)
         VALUES ($1, $2, 'h', 's', '[]') RETURNING hash)
       INSERT INTO run_prompts (run_id, turn, account_id, hash) SELECT $3, 0, $2, hash FROM shown`,
      [newId(), accountId, run.id],
    );
  await requestErasure(owner, PERSON);
  expect(await eraseMarkedEndUsers(60_000)).toBe(true);
  const ids = [[owner.accountId, stranger.accountId]];
  for (const [table, rows] of [
    ["webhook_deliveries", told.length],
    ["prompts", 2],
  ] as const)
    expect(
      (await database.pool.query(`SELECT 1 FROM ${table} WHERE account_id = ANY($1)`, ids))
        .rowCount,
      table,
    ).toBe(rows);
  for (const [by, run] of [
    [stranger, theirs],
    [owner, others],
    [owner, nobodys],
  ] as const)
    expect((await getRun(by, run.id)).status).toBe("pending");
  expect((await getEndUser(stranger, PERSON)).counts.runs).toBe(1);
  expect((await listEndUsers(owner, { limit: 10, cursor: null })).data).toMatchObject([
    { endUser: `${PERSON}-2` },
  ]);
  await database.pool.query("DELETE FROM end_users WHERE account_id = $1", [stranger.accountId]);
  await database.pool.query("DELETE FROM runs WHERE id = ANY($1)", [[theirs.id, others.id]]);
  await database.pool.query("DELETE FROM webhook_deliveries WHERE account_id = ANY($1)", ids);
});

test("under way, nothing begins for them; afterwards the name is a new person's", async () => {
  const { id: agentId } = await newAgent(owner);
  const run = await startTestRun(owner, { endUser: PERSON });
  await database.pool.query("UPDATE conversations SET active_run_id = NULL WHERE id = $1", [
    run.conversationId,
  ]);
  await requestErasure(owner, PERSON);
  const draft = { cron: "0 9 1 1 *", input: {}, endUser: PERSON };
  for (const attempt of [
    () => startTestRun(owner, { endUser: PERSON }),
    () => startTestRun(owner, { metadata: { end_user: PERSON } }),
    () => startTestRun(owner, { conversationId: run.conversationId }),
    () => createSchedule(owner, agentId, draft),
    () => setEndUserLimits(owner, PERSON, { maxCreditsPerDay: 1 }),
    () =>
      createSecret(owner, {
        ...{ name: "KEY", endUser: PERSON, value: "v", description: null },
        allowedHosts: ["api.example.com"],
      }),
  ])
    expect(await codeOf(attempt())).toBe("CONFLICT");
  await eraseMarkedEndUsers(60_000);
  expect(await codeOf(getEndUser(owner, PERSON))).toBe("END_USER_ERASED");
  await startTestRun(owner, { endUser: PERSON });
  expect(await getEndUser(owner, PERSON)).toMatchObject({ status: "active", counts: { runs: 1 } });
  await requestErasure(owner, PERSON);
  await eraseMarkedEndUsers(60_000);
  await expect(getEndUser(owner, PERSON)).rejects.toMatchObject({
    extras: { deleted: { runs: 1 } },
  });
});

test("of starts and the erasure at once, each start is refused or erased", async () => {
  await startTestRun(owner, { endUser: PERSON });
  const work = [
    ...Array.from({ length: 6 }, () => startTestRun(owner, { endUser: PERSON })),
    requestErasure(owner, PERSON),
    ...Array.from({ length: 6 }, () => startTestRun(owner, { endUser: PERSON })),
  ];
  await Promise.allSettled(work);
  while (!(await eraseMarkedEndUsers(60_000)));
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM runs WHERE account_id = $1 AND end_user = $2",
    [owner.accountId, PERSON],
  );
  expect(rowCount).toBe(0);
});

test("a run that still writes is waited for", async () => {
  const run = await startTestRun(owner, { endUser: PERSON });
  await database.pool.query(
    "UPDATE runs SET status = 'cancelled', completed_at = now() WHERE id = $1",
    [run.id],
  );
  await requestErasure(owner, PERSON);
  expect(await eraseEndUser(ended(await idOf()))).toBe(false);
  expect(await getEndUser(owner, PERSON)).toMatchObject({ status: "erasing" });
  await database.pool.query("UPDATE run_logs SET closed_at = now() WHERE run_id = $1", [run.id]);
  await database.pool.query("DELETE FROM credit_holds WHERE run_id = $1", [run.id]);
  expect(await eraseEndUser(ended(await idOf()))).toBe(true);
});

test("the export has all that is kept of a person alone, and says how long it is", async () => {
  const { runId, pendingId } = await plant();
  const said = `${PERSON} asks for less.`;
  await sendMessage(owner, pendingId, said);
  await startTestRun(owner, { endUser: "somebody-else", input: { text: "other words" } });
  const read = async () => {
    const lines: { type: string; run_id?: string; lines?: number }[] = [];
    for await (const text of await exportEndUser(owner, PERSON, new AbortController().signal))
      lines.push(
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line)),
      );
    return lines;
  };
  const lines = await read();
  expect(lines[0]).toMatchObject({ type: "end_user", end_user: PERSON });
  expect(lines.at(-1)).toEqual({ type: "end", lines: lines.length });
  const counted = Object.groupBy(lines, ({ type }) => type);
  expect(
    Object.fromEntries(Object.entries(counted).map(([type, of]) => [type, of?.length])),
  ).toEqual({
    end_user: 1,
    run: 2,
    message: 2,
    run_message: 2,
    artifact: 1,
    file: 1,
    conversation: 2,
    memory: 1,
    schedule: 1,
    secret: 1,
    connection: 1,
    end: 1,
  });
  expect(counted.run_message).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ run_id: pendingId, position: 1, when: "next_step", input: said }),
      expect.objectContaining({ run_id: runId, shown: true }),
    ]),
  );
  expect(counted.run_message?.find(({ run_id }) => run_id === pendingId)).toMatchObject({
    shown: false,
  });
  expect(counted.secret).toMatchObject([{ name: "CRM_KEY", allowed_hosts: ["api.example.com"] }]);
  expect(counted.connection).toMatchObject([{ server_url: "https://mcp.example.com/" }]);
  expect(counted.run?.map(({ run_id }) => run_id).sort()).toEqual([runId, pendingId].sort());
  const text = JSON.stringify(lines);
  expect(text).not.toContain("sealed");
  expect(text).not.toContain("other words");
  await requestErasure(owner, PERSON);
  await eraseMarkedEndUsers(60_000);
  expect(await codeOf(exportEndUser(owner, PERSON, new AbortController().signal))).toBe(
    "END_USER_ERASED",
  );
});
