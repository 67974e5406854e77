import { mkdtempSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import type { Principal } from "@/lib/domain/principal";
import { tablesOfRuns, tablesWith } from "@/lib/domain/retention/remove-rows";
import { findValues, SWEEPS, sweepByName, sweepKept } from "@/lib/domain/retention/sweep-kept";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertEndedRun } from "@/lib/domain/test/insert-ended-run";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { env } from "@/lib/env";
import { newId } from "@/lib/platform/ids";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const DAY_MS = 24 * 3600 * 1000;
const folder = mkdtempSync(join(tmpdir(), "lathe-retention-"));
let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
  database.service.give(fileStore, createDiskFileStore(folder));
  owner = await database.account();
});
afterAll(() => database.close());

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const idsOf = async (table: string, column = "id") =>
  (
    await database.pool.query<{ id: string }>(`SELECT ${column} AS id FROM ${table} ORDER BY 1`)
  ).rows.map(({ id }) => id);
const run = (name: string, limitMs = 60_000) => sweepKept(sweepByName(name), limitMs);

/** Sets what the service reads, for one test: the parsed environment is this very object. */
function keepDays(name: string, days: number): void {
  Object.assign(env(), { [name]: days });
}

test("runs go with all they left once ended long enough; others stay", async () => {
  const [old, young] = [
    await insertEndedRun(owner, daysAgo(40)),
    await insertEndedRun(owner, daysAgo(20)),
  ];
  const [waited, working] = [
    await insertEndedRun(owner, daysAgo(40)),
    await insertEndedRun(owner, daysAgo(40)),
  ];
  await database.pool.query("UPDATE runs SET completed_at = now() WHERE id = $1", [waited.runId]);
  await database.pool.query(
    "UPDATE runs SET completed_at = NULL, status = 'running' WHERE id = $1",
    [working.runId],
  );
  expect(await run("runs")).toEqual({ removed: 0, finished: true });
  keepDays("RETENTION_RUNS_DAYS", 30);
  expect(await run("runs")).toEqual({ removed: 1, finished: true });
  expect(await idsOf("runs")).toEqual([young.runId, waited.runId, working.runId].sort());
  for (const table of await tablesOfRuns(database.pool)) {
    const left = await idsOf(table, "run_id");
    expect(left, table).not.toContain(old.runId);
    expect(left, table).toContain(young.runId);
  }
  for (const table of ["run_usage", "ledger_entries"])
    expect(await idsOf(table, "run_id"), table).toContain(old.runId);
  const { rows } = await database.pool.query("SELECT files_bytes FROM accounts WHERE id = $1", [
    owner.accountId,
  ]);
  expect(Number(rows[0].files_bytes)).toBe(3 * young.bytes);
  expect(
    (await readdir(join(folder, "files"), { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile(),
    ),
  ).toHaveLength(3 * 2);
});

test("an old artifact goes alone: its run stays, and lists it no more", async () => {
  const made = await insertEndedRun(owner, daysAgo(50));
  keepDays("RETENTION_ARTIFACTS_DAYS", 45);
  expect(await run("artifacts")).toMatchObject({ finished: true });
  const { rows } = await database.pool.query("SELECT result FROM runs WHERE id = $1", [made.runId]);
  expect(rows[0].result).toEqual({ text: "done", artifacts: [] });
  await expect(fileStore().read(made.storageKey)).rejects.toThrow("not in the store");
});

test("a conversation goes when left alone for long enough, unless a run holds it", async () => {
  const [gone, lively, held] = [
    await insertEndedRun(owner, daysAgo(70)),
    await insertEndedRun(owner, daysAgo(70)),
    await insertEndedRun(owner, daysAgo(70)),
  ];
  await database.pool.query("UPDATE conversations SET updated_at = now() WHERE id = $1", [
    lively.conversationId,
  ]);
  await database.pool.query("UPDATE conversations SET active_run_id = $2 WHERE id = $1", [
    held.conversationId,
    held.runId,
  ]);
  keepDays("RETENTION_CONVERSATIONS_DAYS", 60);
  expect(await run("conversations")).toEqual({ removed: 1, finished: true });
  const left = await idsOf("conversations");
  expect(left).not.toContain(gone.conversationId);
  expect(left).toEqual(expect.arrayContaining([lively.conversationId, held.conversationId]));
  expect(await idsOf("messages", "conversation_id")).not.toContain(gone.conversationId);
});

test("a pass whose time is up goes on where it stopped", async () => {
  const count = 3 * sweepByName("webhook_deliveries").batchRows + 3;
  const ids = Array.from({ length: count }, (_, index) => newId(daysAgo(90).getTime() + index));
  await database.pool.query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload)
     SELECT id, gen_random_uuid(), $2, '', CASE WHEN place <= 600 THEN 'pending' ELSE 'failed' END,
       '' FROM unnest($1::uuid[]) WITH ORDINALITY AS made(id, place)`,
    [ids, owner.accountId],
  );
  const before = (await idsOf("webhook_deliveries")).length;
  const passes = [await run("webhook_deliveries", 0), await run("webhook_deliveries", 0)];
  expect(passes.map(({ finished }) => finished)).toEqual([false, true]);
  expect(before - (await idsOf("webhook_deliveries")).length).toBe(
    passes.reduce((sum, { removed }) => sum + removed, 0),
  );
  const { rows } = await database.pool.query(
    "SELECT status FROM webhook_deliveries WHERE id = ANY($1)",
    [ids],
  );
  expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 600 }, () => "pending"));
});

test("a delivery that is pending goes too, once its last round began long enough ago", async () => {
  const [dead, again] = [newId(daysAgo(90).getTime()), newId(daysAgo(90).getTime() + 1)];
  await database.pool.query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload, requested_at)
     SELECT id, gen_random_uuid(), $2, '', 'pending', '', at
     FROM unnest($1::uuid[], $3::timestamptz[]) AS made(id, at)`,
    [[dead, again], owner.accountId, [daysAgo(90), daysAgo(2)]],
  );
  await run("webhook_deliveries");
  const left = await idsOf("webhook_deliveries");
  expect([left.includes(dead), left.includes(again)]).toEqual([false, true]);
});

const ACCOUNT = "'00000000-0000-7000-8000-000000000001'::uuid";
/** A UUIDv7 of so many minutes ago. */
const idAgo =
  "(lpad(to_hex((extract(epoch FROM now() - n * interval '1 minute') * 1000)::bigint), 12, '0') " +
  "|| '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 5, 15))::uuid";
const ago = "now() - n * interval '1 minute'";
/** 60,000 rows of forty days in every table that is swept. */
const FILL: Record<string, string> = {
  runs: `INSERT INTO runs (id, account_id, kind, status, input, model, created_at, completed_at)
         SELECT ${idAgo}, ${ACCOUNT}, 'agent', 'completed', '{}', 'm', ${ago}, ${ago}`,
  run_files: `INSERT INTO run_files (id, run_id, account_id, path, content_type, size_bytes, sha256,
                storage_key, step_key, updated_at)
              SELECT ${idAgo}, ${idAgo}, ${ACCOUNT}, 'p', 'c', 1, 'x', md5(n::text), 's', now()`,
  prompts: `INSERT INTO prompts (id, account_id, hash, system, tools)
            SELECT ${idAgo}, ${ACCOUNT}, md5(n::text), 's', '[]'`,
  run_prompts: `INSERT INTO run_prompts (run_id, turn, account_id, hash)
                SELECT ${idAgo}, 0, ${ACCOUNT}, md5((n * 2)::text)`,
  artifacts: `INSERT INTO artifacts (id, run_id, account_id, step_key, title, name, content_type,
                size_bytes, sha256, storage_key)
              SELECT ${idAgo}, ${idAgo}, ${ACCOUNT}, 's', 't', 'n', 'c', 1, 'x', md5(n::text)`,
  conversations: `INSERT INTO conversations (id, account_id, family, updated_at)
                  SELECT ${idAgo}, a.id, 'agent', ${ago}`,
  webhook_deliveries: `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload)
                       SELECT ${idAgo}, ${idAgo}, ${ACCOUNT}, '', 'delivered', ''`,
  account_events: `INSERT INTO account_events (id, account_id, type, data)
                   SELECT ${idAgo}, ${ACCOUNT}, 'run.completed', '{}'`,
  schedule_firings: `INSERT INTO schedule_firings (id, account_id, schedule_id, at, fired_at,
                       trigger, outcome)
                     SELECT ${idAgo}, ${ACCOUNT}, (SELECT id FROM schedules LIMIT 1), ${ago},
                       ${ago}, 'time', 'skipped'`,
  notifications: `INSERT INTO notifications (id, account_id, run_id, title, body)
                  SELECT ${idAgo}, ${ACCOUNT}, ${idAgo}, '', ''`,
  api_keys: `INSERT INTO api_keys (id, account_id, name, hash, prefix, last_four, revoked_at,
               expires_at) SELECT ${idAgo}, a.id, '', md5(n::text)::bytea, '', '', ${ago}, ${ago}`,
  webhook_secrets: `INSERT INTO webhook_secrets (id, account_id, sealed, expires_at)
                    SELECT ${idAgo}, a.id, '', ${ago}`,
  user_sessions: `INSERT INTO user_sessions (id, user_id, account_id, version, address, user_agent,
                    expires_at) SELECT ${idAgo}, u.id, a.id, 0, '', '', ${ago}`,
  user_tokens: `INSERT INTO user_tokens (id, user_id, purpose, hash, expires_at)
                SELECT ${idAgo}, u.id, '', md5(n::text)::bytea, ${ago}`,
  invitations: `INSERT INTO invitations (id, email, hash, expires_at)
                SELECT ${idAgo}, '', md5(n::text)::bytea, ${ago}`,
};

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

test("every sweep finds its rows by an index, however many there are", async () => {
  const who = `(SELECT id, account_id FROM users ORDER BY id LIMIT 1) u
    JOIN accounts a ON a.id = u.account_id`;
  const agent = await insertTestAgent(owner);
  await createSchedule(owner, agent.id, { cron: "0 9 * * *" });
  for (const text of Object.values(FILL))
    await database.pool.query(`${text} FROM generate_series(1, 60000) n, ${who}`);
  await database.pool.query(
    "INSERT INTO run_logs (run_id, closed_at) SELECT id, now() FROM runs ON CONFLICT DO NOTHING",
  );
  await database.pool.query("ANALYZE");
  for (const sweep of SWEEPS) {
    const { rows } = await database.pool.query(
      `EXPLAIN (FORMAT JSON) ${sweep.find}`,
      findValues(sweep, daysAgo(30), sweep.least),
    );
    const scans = nodes(rows[0]["QUERY PLAN"][0].Plan).filter(
      (node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] !== "credit_holds",
    );
    expect(scans, `${sweep.name}: ${JSON.stringify(rows[0]["QUERY PLAN"])}`).toEqual([]);
  }
});

test("every table emptied with its run, or account, finds the rows by an index", async () => {
  const { rows } = await database.pool.query<{ name: string; column: string }>(
    `SELECT c.relname AS name, a.attname AS column FROM pg_index i
     JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] WHERE i.indpred IS NULL`,
  );
  const indexed = new Set(rows.map(({ name, column }) => `${name}.${column}`));
  for (const table of await tablesOfRuns(database.pool))
    expect(indexed, table).toContain(`${table}.run_id`);
  expect((await tablesWith(database.pool, "run_id")).length).toBeGreaterThan(
    (await tablesOfRuns(database.pool)).length,
  );
});
