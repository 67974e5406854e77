import { mkdtempSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { signInThroughProvider } from "@/lib/domain/account/sign-in-through-provider";
import { verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { deleteAccount, deleteMarkedAccounts } from "@/lib/domain/deletion/delete-account";
import {
  requestAccountDeletion,
  requestDeletionAsOperator,
} from "@/lib/domain/deletion/request-account-deletion";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { findSessionPrincipal } from "@/lib/domain/sessions/find-session-principal";
import { startSession } from "@/lib/domain/sessions/start-session";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { newId } from "@/lib/platform/ids";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import { newFileKey } from "@/lib/storage/files/file-store";

const PASSWORD = "correct horse battery";
const folder = mkdtempSync(join(tmpdir(), "lathe-deletion-"));
let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
  database.service.give(fileStore, createDiskFileStore(folder));
});
afterAll(() => database.close());

/** Someone who signed in with a password, and how they did. */
async function owner(options: { isAdmin?: boolean } = {}): Promise<Principal & { email: string }> {
  const { email, userId } = await createAccount({
    email: `${newId()}@example.test`,
    password: PASSWORD,
    ...options,
  });
  const session = await startSession({ userId, version: 0, address: "192.0.2.1", userAgent: "" });
  const found = await findSessionPrincipal(session ?? "", userId);
  if (!found) throw new Error("no session");
  return { ...found.principal, email };
}

const remove = (who: Principal, password = PASSWORD) =>
  requestAccountDeletion(who, { password }, newId());

async function tablesOf(column: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t
     USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name = $1
     ORDER BY 1`,
    [column],
  );
  return rows.map(({ name }) => name);
}

/** The tables that hold rows of the account, or of its runs. */
async function tablesHolding(accountId: string, runIds: string[]): Promise<string[]> {
  const holding: string[] = [];
  const look = async (table: string, where: string, value: unknown) => {
    if (
      (await database.pool.query(`SELECT 1 FROM "${table}" WHERE ${where} LIMIT 1`, [value]))
        .rowCount
    )
      holding.push(table);
  };
  for (const table of await tablesOf("account_id")) await look(table, "account_id = $1", accountId);
  for (const table of (await tablesOf("run_id")).filter((name) => !name.startsWith("engine_")))
    await look(table, "run_id = ANY($1)", runIds);
  await look("accounts", "id = $1", accountId);
  return [...new Set(holding)].sort();
}

async function requestOneRun(who: Principal): Promise<string> {
  const agent = await insertTestAgent(who);
  const run = await requestRun(who, "agent", {
    agentId: agent.id,
    input: { text: "hello" },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: true,
    model: null,
    metadata: {},
    maxCreditsMicros: null,
  });
  if ("replayed" in run) throw new Error("replayed");
  return run.id;
}

/** An account with rows in as many tables as there are, and bytes in the store. */
async function fill(who: Principal & { email: string }): Promise<string[]> {
  const { accountId } = who;
  await createKey(who, { name: "Key", agentId: null, expiresAt: null });
  const workspace = await createWorkspace(who, { name: "Papers", description: null });
  const runId = await requestOneRun(who);
  const key = newFileKey(accountId);
  await fileStore().put(key, new Blob(["bytes"]).stream(), { maxBytes: 100 });
  const sql: [string, unknown[]][] = [
    [
      `INSERT INTO workspace_files (id, account_id, workspace_id, path, size_bytes, content_type,
         sha256, storage_key, updated_at)
       VALUES ($1, $2, $3, 'a.txt', 5, 'text/plain', 'x', $4, now())`,
      [newId(), accountId, workspace.id, key],
    ],
    [
      `INSERT INTO file_indexes (file_id, account_id, storage_key)
       SELECT id, account_id, storage_key FROM workspace_files WHERE account_id = $1`,
      [accountId],
    ],
    [
      `INSERT INTO file_texts (file_id, position, account_id, reference, text, words)
       SELECT file_id, 0, account_id, '', 'a', 'a' FROM file_indexes WHERE account_id = $1`,
      [accountId],
    ],
    [
      `INSERT INTO artifacts (id, run_id, account_id, step_key, title, name, content_type,
         size_bytes, sha256, storage_key)
       VALUES ($1, $2, $3, 's', 't', 'n', 'text/plain', 5, 'x', $4)`,
      [newId(), runId, accountId, key],
    ],
    [
      `INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason)
       VALUES ($1, 0, $2, 'm', '[]', 'stop')`,
      [runId, newId()],
    ],
    [
      `INSERT INTO run_tool_results (run_id, tool_call_id, turn, name, succeeded, output)
       VALUES ($1, 'c', 0, 'n', true, '{}')`,
      [runId],
    ],
    [
      `INSERT INTO run_usage (run_id, step_key, account_id, model, capability, input_tokens,
         output_tokens, cached_input_tokens, units, credits_micros)
       VALUES ($1, 's', $2, 'm', 'chat', 1, 1, 0, 0, 1)`,
      [runId, accountId],
    ],
    [
      `INSERT INTO approvals (id, run_id, account_id, tool_call_id, tool_name, arguments, summary,
         status, expires_at) VALUES ($1, $2, $3, 'c', 'n', '{}', '', 'pending', now())`,
      [newId(), runId, accountId],
    ],
    [
      `INSERT INTO agent_memories (id, account_id, agent_id, text, made_by_run, made_by_call)
       VALUES ($1, $2, $1, 't', $1, 'c')`,
      [newId(), accountId],
    ],
    [
      `INSERT INTO conversation_summaries (conversation_id, account_id, run_id, through_position,
         summary) SELECT id, account_id, $1, 0, 's' FROM conversations WHERE account_id = $2
       LIMIT 1`,
      [runId, accountId],
    ],
    [
      `INSERT INTO client_tool_calls (run_id, tool_call_id, account_id, batch_id, turn, tool_name,
         arguments, status, expires_at) VALUES ($1, 'c', $2, $1, 0, 'n', '{}', 'pending', now())`,
      [runId, accountId],
    ],
    [
      "INSERT INTO run_messages (id, run_id, account_id, position, due, input) VALUES ($1, $2, " +
        "$3, 1, 'next_step', '\"m\"')",
      [newId(), runId, accountId],
    ],
    [
      "INSERT INTO queued_runs (run_id, account_id, conversation_id, place) VALUES ($1, $2, $1, 1)",
      [runId, accountId],
    ],
    [
      `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload)
       VALUES ($1, $2, $3, 'https://example.com', 'pending', '{}')`,
      [newId(), runId, accountId],
    ],
    [
      `INSERT INTO idempotency_keys (account_id, route, key, request_hash, status, body)
       VALUES ($1, 'r', 'k', 'h', 202, '{}')`,
      [accountId],
    ],
    [
      "INSERT INTO product_profiles (account_id, profile, updated_at) VALUES ($1, '{}', now())",
      [accountId],
    ],
    [
      `INSERT INTO skills (id, account_id, name, description, content, updated_at)
       VALUES ($1, $2, 's', '', '', now())`,
      [newId(), accountId],
    ],
    [
      `INSERT INTO secrets (id, account_id, name, allowed_hosts, sealed, updated_at)
       VALUES ($1, $2, 'TOKEN', '{}', 'x', now())`,
      [newId(), accountId],
    ],
    [
      "INSERT INTO webhook_secrets (id, account_id, sealed) VALUES ($1, $2, 'x')",
      [newId(), accountId],
    ],
    [
      `INSERT INTO mcp_connections (id, account_id, server_url, scopes, sealed)
       VALUES ($1, $2, 'https://mcp.example.com/', '{}', 'x')`,
      [newId(), accountId],
    ],
    [
      `INSERT INTO mcp_revisions (account_id, server_key, version, is_bare, until)
       VALUES ($1, 'k', '2026-07-28', true, now())`,
      [accountId],
    ],
    [
      `INSERT INTO mcp_listings (account_id, listing_key, definitions, listed_at, fresh_until)
       VALUES ($1, 'k', '[]', now(), now())`,
      [accountId],
    ],
    [
      `INSERT INTO schedules (id, account_id, agent_id, cron, timezone, input, enabled, next_run_at,
         updated_at) SELECT $1, $2, id, '* * * * *', 'UTC', '{}', true, now(), now() FROM agents
       WHERE account_id = $2 LIMIT 1`,
      [newId(), accountId],
    ],
    [
      `INSERT INTO schedule_firings (id, account_id, schedule_id, at, fired_at, trigger, outcome,
         run_id) SELECT $1, $2, id, now(), now(), 'time', 'started', $3 FROM schedules
       WHERE account_id = $2`,
      [newId(), accountId, runId],
    ],
    [
      "INSERT INTO invitations (id, email, hash, expires_at) VALUES ($1, $2, $3, now())",
      [newId(), who.email, Buffer.from(newId())],
    ],
  ];
  for (const [text, values] of sql) await database.pool.query(text, values);
  await recordAudit(database.pool, who, { action: "key.created" });
  return [runId];
}

/**
 * The least that a filled account has rows in: what is listed here and not found afterwards was
 * surely deleted.
 */
const FILLED = [
  "accounts",
  "agent_memories",
  "agents",
  "api_keys",
  "approvals",
  "artifacts",
  "audit_events",
  "client_tool_calls",
  "conversation_summaries",
  "conversations",
  "credit_holds",
  "file_indexes",
  "file_texts",
  "idempotency_keys",
  "ledger_entries",
  "mcp_connections",
  "mcp_listings",
  "mcp_revisions",
  "messages",
  "product_profiles",
  "queued_runs",
  "run_events",
  "run_logs",
  "run_messages",
  "run_tool_results",
  "run_turns",
  "run_usage",
  "runs",
  "schedule_firings",
  "schedules",
  "secrets",
  "skills",
  "user_sessions",
  "users",
  "webhook_deliveries",
  "webhook_secrets",
  "workspace_files",
  "workspaces",
];

test("a deleted account leaves no row or byte; another's stay as they were", async () => {
  const [gone, kept] = [await owner(), await owner()];
  const [runs, keptRuns] = [await fill(gone), await fill(kept)];
  expect(await tablesHolding(gone.accountId, runs)).toEqual(expect.arrayContaining(FILLED));
  const before = await tablesHolding(kept.accountId, keptRuns);
  await remove(gone);
  expect(await deleteAccount(gone.accountId)).toBe(true);
  expect(await tablesHolding(gone.accountId, runs)).toEqual([]);
  expect(await tablesHolding(kept.accountId, keptRuns)).toEqual(before);
  expect(await readdir(join(folder, "files"))).toEqual([kept.accountId]);
  const { rowCount } = await database.pool.query("SELECT 1 FROM invitations WHERE email = $1", [
    gone.email,
  ]);
  expect(rowCount).toBe(0);
  expect(await deleteAccount(gone.accountId)).toBe(true);
});

test("once asked for, nothing of the account works: sign-ins, keys, schedules, runs", async () => {
  const gone = await owner();
  const { apiKey } = await createKey(gone, { name: "Key", agentId: null, expiresAt: null });
  const [runId] = await fill(gone);
  const identity = { provider: "github", subject: newId(), verifiedEmail: gone.email, name: null };
  await database.pool.query(
    "INSERT INTO oauth_identities (provider, subject, user_id) VALUES ('github', $1, $2)",
    [identity.subject, gone.userId],
  );
  await remove(gone);
  expect(await findSessionPrincipal(gone.sessionId ?? "", gone.userId ?? "")).toBeNull();
  expect(
    await startSession({ userId: gone.userId ?? "", version: 1, address: "", userAgent: "" }),
  ).toBeNull();
  expect((await verifySignIn(gone.email, PASSWORD, newId())).outcome).toBe("refused");
  expect((await signInThroughProvider(identity, newId())).outcome).toBe("address-taken");
  expect(await authenticateKey(apiKey, "account", "read")).toBeNull();
  const { rows } = await database.pool.query(
    "SELECT 1 FROM schedules WHERE account_id = $1 AND enabled",
    [gone.accountId],
  );
  expect(rows).toEqual([]);
  // A request that was let in just before.
  await expect(requestOneRun({ ...gone, blocked: true })).rejects.toMatchObject({
    code: "ACCOUNT_BLOCKED",
  });
  await deleteAccount(gone.accountId);
  expect(runId).toBeTruthy();
});

test("killed, it goes on: rows, files and runs let in meanwhile go at the next call", async () => {
  const gone = await owner();
  const runs = await fill(gone);
  await remove(gone);
  const store = fileStore();
  database.service.give(fileStore, {
    ...store,
    deletePrefix: () => Promise.reject(new Error("killed")),
  });
  await expect(deleteAccount(gone.accountId)).rejects.toThrow("killed");
  database.service.give(fileStore, store);
  // A start that was checked before the account was marked and is stored now.
  const late = await requestOneRun({ ...gone, blocked: false });
  await deleteMarkedAccounts();
  expect(await tablesHolding(gone.accountId, [...runs, late])).toEqual([]);
});

test("it waits for a step that still writes, and leaves all until that ends", async () => {
  const gone = await owner();
  const runs = await fill(gone);
  await remove(gone);
  await database.pool.query(
    `WITH p AS (INSERT INTO engine_processes (seen_at) VALUES (now()) RETURNING id) UPDATE run_logs
       SET owner = p.id FROM p WHERE run_id = ANY($1)`,
    [runs],
  );
  expect(await deleteAccount(gone.accountId)).toBe(false);
  const { rows } = await database.pool.query<{ status: string }>(
    "SELECT status FROM runs WHERE account_id = $1",
    [gone.accountId],
  );
  expect(rows).toEqual([{ status: "cancelled" }]);
  await database.pool.query("UPDATE run_logs SET owner = NULL WHERE run_id = ANY($1)", [runs]);
  expect(await deleteAccount(gone.accountId)).toBe(true);
});

test("two processes may delete at once, no unmarked account is touched", async () => {
  const [gone, kept] = [await owner(), await owner()];
  const runs = await fill(gone);
  await remove(gone);
  const done = await Promise.all([1, 2, 3].map(() => deleteAccount(gone.accountId)));
  expect(done).toContain(true);
  expect(await tablesHolding(gone.accountId, runs)).toEqual([]);
  await deleteAccount(kept.accountId);
  await deleteMarkedAccounts();
  expect(await findSessionPrincipal(kept.sessionId ?? "", kept.userId ?? "")).not.toBeNull();
});

test("a wrong password or address deletes nothing; without one the address is typed", async () => {
  const kept = await owner();
  await expect(remove(kept, "wrong")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(requestAccountDeletion(kept, { email: kept.email }, newId())).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
  expect(await findSessionPrincipal(kept.sessionId ?? "", kept.userId ?? "")).not.toBeNull();
  await database.pool.query("UPDATE users SET password_hash = NULL WHERE id = $1", [kept.userId]);
  await expect(
    requestAccountDeletion(kept, { email: "another@example.test" }, newId()),
  ).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await requestAccountDeletion(kept, { email: ` ${kept.email.toUpperCase()} ` }, newId());
  expect(await findSessionPrincipal(kept.sessionId ?? "", kept.userId ?? "")).toBeNull();
});

test("the last admin stays, one of two at once too; the operator may delete any", async () => {
  const [one, two] = [await owner({ isAdmin: true }), await owner({ isAdmin: true })];
  const all = await Promise.allSettled([remove(one), remove(two)]);
  expect(all.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(all.find((each) => each.status === "rejected")).toMatchObject({
    reason: { code: "CONFLICT" },
  });
  const last = all[0].status === "rejected" ? one : two;
  await expect(remove(last)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await requestDeletionAsOperator(last.email.toUpperCase())).toMatchObject({
    accountId: last.accountId,
  });
  expect(await deleteAccount(last.accountId)).toBe(true);
  await expect(requestDeletionAsOperator(last.email)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
