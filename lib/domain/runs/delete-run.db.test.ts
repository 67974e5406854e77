import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteArtifact } from "@/lib/domain/artifacts/delete-artifact";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import type { Principal } from "@/lib/domain/principal";
import { tablesOfRuns } from "@/lib/domain/retention/remove-rows";
import { deleteRun } from "@/lib/domain/runs/delete-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertEndedRun } from "@/lib/domain/test/insert-ended-run";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { newId } from "@/lib/platform/ids";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const folder = mkdtempSync(join(tmpdir(), "lathe-deletion-"));
let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
  database.service.give(fileStore, createDiskFileStore(folder));
  owner = await database.account();
});
afterAll(() => database.close());

const query = (text: string, values: unknown[] = []) => database.pool.query(text, values);
const filesBytes = async () =>
  Number(
    (await query("SELECT files_bytes FROM accounts WHERE id = $1", [owner.accountId])).rows[0]
      .files_bytes,
  );
const acts = async () =>
  (
    await query(
      `SELECT action, object_id FROM audit_events WHERE account_id = $1 AND action ~ 'deleted'
       ORDER BY id`,
      [owner.accountId],
    )
  ).rows;

test("a deleted run leaves its cost alone, gives its space back and is audited", async () => {
  const [gone, kept] = [
    await insertEndedRun(owner, new Date()),
    await insertEndedRun(owner, new Date()),
  ];
  await deleteRun(owner, gone.runId);
  for (const table of await tablesOfRuns(database.pool)) {
    const rows = await query(`SELECT run_id FROM ${table} WHERE run_id = ANY($1)`, [
      [gone.runId, kept.runId],
    ]);
    expect(
      rows.rows.map(({ run_id }) => run_id),
      table,
    ).toEqual([kept.runId]);
  }
  expect(
    (await query("SELECT 1 FROM webhook_attempts WHERE delivery_id = $1", [gone.deliveryId]))
      .rowCount,
  ).toBe(0);
  for (const table of ["run_usage", "ledger_entries"])
    expect(
      (await query(`SELECT 1 FROM ${table} WHERE run_id = $1`, [gone.runId])).rowCount,
      table,
    ).toBe(1);
  expect(await filesBytes()).toBe(kept.bytes);
  await expect(fileStore().read(gone.storageKey)).rejects.toThrow("not in the store");
  expect(await new Response(await fileStore().read(kept.storageKey)).text()).toBe("bytes");
  expect(await acts()).toEqual([{ action: "run.deleted", object_id: gone.runId }]);
  await expect(deleteRun(owner, gone.runId)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
});

test.each([
  ["it works", "UPDATE runs SET status = 'running', completed_at = NULL WHERE id = $1"],
  ["it waits", "UPDATE runs SET status = 'pending', completed_at = NULL WHERE id = $1"],
  [
    "it was cancelled, and its step still writes",
    "UPDATE run_logs SET closed_at = NULL WHERE run_id = $1",
  ],
])("a run is not deleted while %s", async (_, sql) => {
  const { runId } = await insertEndedRun(owner, new Date());
  await query(sql, [runId]);
  await expect(deleteRun(owner, runId)).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await query("SELECT 1 FROM artifacts WHERE run_id = $1", [runId])).rowCount).toBe(1);
});

test("nobody deletes another account's run or artifact, nor app keys others'", async () => {
  const { runId, artifactId } = await insertEndedRun(owner, new Date());
  const stranger = await database.account();
  await expect(deleteRun(stranger, runId)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  await expect(deleteArtifact(stranger, artifactId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(deleteRun({ ...owner, agentId: newId() }, runId)).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
  });
  await deleteArtifact(owner, artifactId);
  await deleteRun(owner, runId);
});

test("a deleted artifact gives its space back, unlisted; of two at once one deletes", async () => {
  const made = await insertEndedRun(owner, new Date());
  const before = await filesBytes();
  // Both wait for the run's row before either goes on.
  const holder = await database.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT 1 FROM runs WHERE id = $1 FOR UPDATE", [made.runId]);
  const deletions = [1, 2].map(() => deleteArtifact(owner, made.artifactId));
  const settled = Promise.allSettled(deletions);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
       AND wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await query(waiting)).rowCount, { interval: 5, timeout: 30_000 })
    .toBe(2);
  await holder.query("COMMIT");
  holder.release();
  const outcomes = await settled;
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await filesBytes()).toBe(before - made.bytes);
  const { rows } = await query("SELECT result FROM runs WHERE id = $1", [made.runId]);
  expect(rows[0].result).toEqual({ text: "done", artifacts: [] });
  expect((await acts()).filter(({ object_id }) => object_id === made.artifactId)).toHaveLength(1);
  await query("UPDATE runs SET completed_at = NULL, status = 'running' WHERE id = $1", [
    made.runId,
  ]);
});

test("a person's agent stays a person's, an agent's an agent's, its run deleted", async () => {
  const isOwners = `SELECT a.created_by_run_id IS NULL
      OR EXISTS (SELECT 1 FROM runs c WHERE c.id = a.created_by_run_id
        AND c.origin <> 'agent') AS is
    FROM agents a WHERE a.id = $1`;
  for (const [origin, expected] of [
    ["key", true],
    ["agent", false],
  ] as const) {
    const { runId } = await insertEndedRun(owner, new Date());
    const agent = await insertTestAgent(owner);
    await query("UPDATE runs SET origin = $2 WHERE id = $1", [runId, origin]);
    await query("UPDATE agents SET created_by_run_id = $2 WHERE id = $1", [agent.id, runId]);
    await deleteRun(owner, runId);
    expect((await query(isOwners, [agent.id])).rows[0].is, origin).toBe(expected);
  }
});
