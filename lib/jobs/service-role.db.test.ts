import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { checkInvariants } from "@/lib/domain/admin/check-invariants";
import { writeBackup } from "@/lib/domain/backup/write-backup";
import { deleteAccount } from "@/lib/domain/deletion/delete-account";
import { requestDeletionAsOperator } from "@/lib/domain/deletion/request-account-deletion";
import { systemPrincipal } from "@/lib/domain/principal";
import { readinessCheck } from "@/lib/domain/readiness";
import { getRun } from "@/lib/domain/runs/run-view";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { executeRun } from "@/lib/jobs/execute-run";
import { scriptedModel } from "@/lib/runtime/test/scripted-model";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import { embeddedServiceUrl } from "@/scripts/postgres/service-role.mjs";

const place = mkdtempSync(join(tmpdir(), "service-role-"));
let database: DomainDatabase;
let pool: pg.Pool;
let executor: EmbeddedExecutor;

beforeAll(async () => {
  database = await openDomainDatabase({
    models: [scriptedModel("builtin/offline", () => ({ text: "done" }))],
    files: createDiskFileStore(place),
    pool: async (url) => new pg.Pool({ connectionString: await embeddedServiceUrl(url), max: 20 }),
  });
  pool = database.pool;
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool,
    concurrency: 5,
  });
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
  rmSync(place, { recursive: true, force: true });
});

test("the service does its work by a role that reads and writes rows alone", async () => {
  const { rows } = await pool.query(
    "SELECT current_user AS name, rolsuper AS super FROM pg_roles WHERE rolname = current_user",
  );
  expect(rows).toEqual([{ name: "lathe_service", super: false }]);
  const email = "owner@example.test";
  const { accountId } = await createAccount({ email, password: null, credits: 1_000 });
  const owner = systemPrincipal(accountId);
  const run = await startTestRun(owner);
  for await (const _ of followRunLog(run.id, { after: -1, signal: AbortSignal.timeout(60_000) }));
  expect(await getRun(owner, run.id)).toMatchObject({
    status: "completed",
    result: { text: "done" },
  });
  expect((await readinessCheck().check()).checks).toMatchObject({ database: "ok" });
  expect(await checkInvariants()).toEqual({ ok: true });
  expect((await writeBackup(join(place, "backup"), { withKeys: false })).rows).toBeGreaterThan(10);
  await requestDeletionAsOperator(email);
  await expect.poll(() => deleteAccount(accountId)).toBe(true);
  // What is in it goes; what it is stays.
  await expect(pool.query("CREATE TABLE pwned ()")).rejects.toThrow("permission denied");
});
