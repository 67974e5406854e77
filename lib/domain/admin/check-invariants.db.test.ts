import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkInvariants, INVARIANTS } from "@/lib/domain/admin/check-invariants";
import { deleteArtifact } from "@/lib/domain/artifacts/delete-artifact";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { deleteRun } from "@/lib/domain/runs/delete-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { type EndedRun, insertEndedRun } from "@/lib/domain/test/insert-ended-run";
import { newId } from "@/lib/platform/ids";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const folder = mkdtempSync(join(tmpdir(), "lathe-check-"));
let database: DomainDatabase;
let owner: Principal;
let ended: EndedRun;
/** A run that waits for its executor, which does not run here. */
let waiting: string;

async function start(): Promise<string> {
  const run = await requestRun(owner, "agent", {
    agentId: null,
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

beforeAll(async () => {
  database = await openDomainDatabase();
  database.service.give(fileStore, createDiskFileStore(folder));
  owner = await database.account();
  ended = await insertEndedRun(owner, new Date());
  waiting = await start();
});
afterAll(() => database.close());

test("nothing is broken after runs are made, cancelled, deleted, and artifacts too", async () => {
  await cancelRun(owner, await start());
  const [gone, bare] = [
    await insertEndedRun(owner, new Date()),
    await insertEndedRun(owner, new Date()),
  ];
  await deleteRun(owner, gone.runId);
  await deleteArtifact(owner, bare.artifactId);
  expect(await checkInvariants(0)).toEqual({ ok: true });
});

test("an event that was delivered to an endpoint is none of its run's own webhook", async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    `WITH run AS (
       INSERT INTO runs (id, account_id, kind, status, input, model, result, started_at,
         completed_at)
       VALUES (gen_random_uuid(), $1, 'agent', 'completed', '{}', 'm', '{}', now(), now())
       RETURNING id
     ), sent AS (
       INSERT INTO webhook_deliveries (id, account_id, run_id, endpoint_id, url, status, payload)
       SELECT gen_random_uuid(), $1, e.run, gen_random_uuid(), 'https://example.com',
         'delivered', '{}'
       FROM (SELECT id AS run FROM run UNION ALL SELECT NULL) e RETURNING id
     ), answered AS (
       INSERT INTO webhook_attempts (delivery_id, attempt, at, duration_ms, status_code)
       SELECT id, 1, now(), 1, 200 FROM sent
     ) SELECT id FROM run`,
    [owner.accountId],
  );
  expect(await checkInvariants(0)).toEqual({ ok: true });
  await deleteRun(owner, rows[0]?.id ?? "");
});

/** An engine's run whose columns follow. */
const ENGINE_RUN = "INSERT INTO engine_runs (id, function_id, event_id, created_at, lane)";

/** What breaks each one. `$1`: the ended run, `$2`: the waiting one, `$3`: the account. */
const BREAKS: [name: string, sql: string][] = [
  ["balances", "UPDATE accounts SET available_micros = available_micros + 1 WHERE id = $3"],
  [
    "holds",
    `WITH h AS (DELETE FROM credit_holds WHERE run_id = $2 RETURNING *) UPDATE accounts
       SET available_micros = available_micros + h.amount_micros FROM h WHERE id = $3`,
  ],
  ["holds", "INSERT INTO credit_holds (run_id, account_id, amount_micros) VALUES ($1, $3, 0)"],
  [
    "usage_is_charged",
    "UPDATE run_usage SET credits_micros = credits_micros + 1 WHERE run_id = $1",
  ],
  [
    "usage_is_added_up",
    `INSERT INTO usage_hours (account_id, hour, model, agent_id, input_tokens, output_tokens,
       credits_micros, runs) VALUES ($3, now(), 'm', $3, 1, 1, 1, 1)`,
  ],
  [
    "people_are_known",
    "INSERT INTO secrets (id, account_id, name, end_user, allowed_hosts, sealed, updated_at) " +
      "VALUES (gen_random_uuid(), $3, E'KEY\\nada', 'ada', '{}', 'x', now())",
  ],
  ["people_are_known", "UPDATE run_usage SET end_user = 'ada' WHERE run_id = $1"],
  ["usage_is_its_runs", "UPDATE run_usage SET key_id = gen_random_uuid() WHERE run_id = $1"],
  ["usage_is_its_runs", "UPDATE run_usage SET end_user = 'ada' WHERE run_id = $1"],
  [
    "owned_names",
    `INSERT INTO mcp_connections (id, account_id, server_url, end_user, scopes, sealed)
     VALUES (gen_random_uuid(), $3, 'https://mcp.example.com/', 'ada', '{}', 'x')`,
  ],
  [
    "owned_names",
    "INSERT INTO secrets (id, account_id, name, allowed_hosts, sealed, updated_at) VALUES " +
      "(gen_random_uuid(), $3, E'KEY\\nada', '{}', 'x', now())",
  ],
  ["files_are_counted", "UPDATE accounts SET files_bytes = files_bytes + 1 WHERE id = $3"],
  ["ended_runs_are_closed", "UPDATE run_logs SET closed_at = NULL WHERE run_id = $1"],
  ["ended_runs_are_closed", "UPDATE run_logs SET closed_at = now() WHERE run_id = $2"],
  [
    "one_terminal_line",
    "UPDATE run_events SET lines = replace(lines, 'run.completed', 'run.failed') WHERE run_id = $1",
  ],
  [
    "one_terminal_line",
    "UPDATE run_events SET lines = replace(lines, '\"done\"', '\"another\"') WHERE run_id = $1",
  ],
  ["one_terminal_line", "UPDATE run_logs SET next_sequence = next_sequence + 1 WHERE run_id = $2"],
  ["one_terminal_line", "DELETE FROM run_events WHERE run_id = $1"],
  ["states_and_times", "UPDATE runs SET result = NULL WHERE id = $1"],
  ["waits_are_said", `UPDATE runs SET requires_action = '{"type": "budget"}' WHERE id = $2`],
  [
    "waits_end",
    `INSERT INTO budget_waits (id, run_id, account_id, kind, turn, least_micros, status, created_at,
       expires_at) VALUES (gen_random_uuid(), $2, $3, 'credits', 0, 1,
       'waiting', now() - interval '1 minute', now())`,
  ],
  [
    "messages_are_shown",
    "INSERT INTO run_messages (id, run_id, account_id, position, due, input) VALUES " +
      "(gen_random_uuid(), $1, $3, 9, 'next_step', '\"hello\"')",
  ],
  [
    "conversations_are_held",
    "UPDATE conversations SET active_run_id = NULL WHERE active_run_id = $2",
  ],
  [
    "conversations_are_held",
    `UPDATE conversations SET active_run_id = $1
     WHERE id = (SELECT conversation_id FROM runs WHERE id = $1)`,
  ],
  ["runs_are_driven", "UPDATE engine_events SET routed_at = now() WHERE id = $2::uuid::text"],
  ["engine_runs_go_on", `${ENGINE_RUN} SELECT $2, '', 'x', now() - interval '1 minute', 'common'`],
  [
    "engine_runs_go_on",
    `${ENGINE_RUN.replace("lane)", "lane, owner)")} SELECT $2, '', 'x', now() - interval '1 minute',
       'common', 999999`,
  ],
  [
    "engine_runs_go_on",
    `WITH asleep AS (${ENGINE_RUN} SELECT $2, '', 'x', now() - interval '1 minute', 'common'
       RETURNING id)
     INSERT INTO engine_steps (run_id, id, op, name, due_at)
     SELECT id, 's', 'Sleep', 's', now() + interval '1 hour' FROM asleep`,
  ],
  ["deliveries_are_driven", "UPDATE webhook_deliveries SET status = 'pending' WHERE run_id = $1"],
  ["deliveries_and_attempts", "UPDATE runs SET webhook_delivered_at = NULL WHERE id = $1"],
  [
    "deliveries_and_attempts",
    `UPDATE webhook_attempts SET status_code = 500
     WHERE delivery_id = (SELECT id FROM webhook_deliveries WHERE run_id = $1)`,
  ],
  [
    "children_end",
    `WITH p AS (INSERT INTO runs (id, account_id, kind, status, input, model, completed_at)
       VALUES (gen_random_uuid(), $3, 'super_agent', 'failed', '{}',
         'm', now() - interval '1 minute') RETURNING id) UPDATE runs SET parent_run_id = p.id FROM p
     WHERE runs.id = $2`,
  ],
];

test.each(BREAKS)("%s: it is told when %s", async (name, sql) => {
  // In a transaction that is undone, and on its connection.
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    const values = [ended.runId, waiting, owner.accountId];
    const used = sql.replaceAll(/\$([123])/g, (_, n) => `'${values[Number(n) - 1]}'::uuid`);
    await client.query(used);
    const found = INVARIANTS.find((each) => each.name === name);
    const { rows } = await client.query(found?.sql("interval '0 seconds'") ?? "");
    expect(rows.length).toBeGreaterThan(0);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

test("an engine's run driven, waiting for place or time, or woken is not told", async () => {
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    const id = async (columns: string, values: string) => {
      const id = newId();
      await client.query(
        `INSERT INTO engine_runs (id, function_id, event_id, created_at, lane, ${columns})
         SELECT $1::uuid, '', $1::text, now() - interval '1 minute', 'common', ${values}`,
        [id],
      );
      return id;
    };
    const { rows } = await client.query("INSERT INTO engine_processes DEFAULT VALUES RETURNING id");
    await id("owner", String(rows[0].id));
    await id("queued", "true");
    await id("due_at", "now()");
    await id("status", "'completed'");
    const waits = await id("queued", "false");
    await client.query(
      "INSERT INTO engine_steps (run_id, id, op, name) VALUES ($1, 's', 'WaitForEvent', 's')",
      [waits],
    );
    await client.query(
      `INSERT INTO engine_waits (run_id, step_id, kind, event, conditions)
       VALUES ($1, 's', 'resume', 'e', '[]')`,
      [waits],
    );
    const found = INVARIANTS.find(({ name }) => name === "engine_runs_go_on");
    expect((await client.query(found?.sql("interval '0 seconds'") ?? "")).rows).toEqual([]);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

test("every invariant is seen broken above", () => {
  expect([...new Set(BREAKS.map(([name]) => name))].sort()).toEqual(
    INVARIANTS.map(({ name }) => name).sort(),
  );
});

test("what is broken is named with its rows, twenty at most", async () => {
  await database.pool.query("UPDATE accounts SET files_bytes = files_bytes + 1 WHERE id = $1", [
    owner.accountId,
  ]);
  const others = Array.from({ length: 21 }, () => newId());
  await database.pool.query(
    "INSERT INTO accounts (id, name, files_bytes) SELECT id, '', 7 FROM unnest($1::uuid[]) id",
    [others],
  );
  const checked = await checkInvariants(0);
  expect(checked).toMatchObject({ ok: false, broken: [{ name: "files_are_counted", more: true }] });
  expect(checked.ok ? [] : checked.broken[0]?.rows).toHaveLength(20);
  expect(checked.ok ? null : checked.broken[0]?.rows[0]).toHaveProperty("files_bytes");
});
