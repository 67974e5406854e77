import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { giveRunWebhook } from "@/lib/api/schemas/run-webhook";
import { createAccount } from "@/lib/domain/account/create-account";
import { languageModels } from "@/lib/domain/execution/turn/call-model";
import { systemPrincipal } from "@/lib/domain/principal";
import { getRun } from "@/lib/domain/runs/run-view";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { startService } from "@/lib/jobs/start-service";
import { newId } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";
import { processHooks } from "@/lib/platform/process-hooks.mjs";
import { TEST_VARIABLES } from "@/lib/platform/test/test-service";
import { scriptedModel } from "@/lib/runtime/test/scripted-model";
import { inTextWorker } from "@/lib/runtime/text-work/in-text-worker";
import { createService, runInService, type Service } from "@/lib/service";
import { createTestDatabase } from "@/lib/storage/test-database";

const folder = mkdtempSync(join(tmpdir(), "two-services-"));
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A service on a database of its own, as a server process sets itself up. */
async function openService(name: string) {
  const database = await createTestDatabase();
  const service = createService({
    ...TEST_VARIABLES,
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, name),
    ENCRYPTION_KEYS: JSON.stringify([{ id: name, key: Buffer.alloc(32, name).toString("base64") }]),
    SIGNING_SECRET: name.repeat(32),
    LOG_LEVEL: "silent",
  });
  ends.push(
    () => database.drop(),
    () => service.close(),
  );
  runInService(service, giveRunWebhook);
  const model = scriptedModel("builtin/offline", () => ({ text: name }));
  service.of(languageModels).set(model.id, model);
  return { service, database };
}

/** What somebody is answered by it, from the request to the run's end. */
function ask(service: Service) {
  return runInService(service, async () => {
    await startService();
    const { accountId } = await createAccount({
      email: `${newId()}@example.test`,
      password: null,
      credits: 10_000,
    });
    const owner = systemPrincipal(accountId);
    const { id } = await startTestRun(owner);
    for await (const _ of followRunLog(id, { after: -1, signal: AbortSignal.timeout(60_000) }));
    const { rows } = await postgres().query<{ id: string }>("SELECT id FROM runs");
    const question = [{ role: "user" as const, content: [{ type: "text" as const, text: "1+1" }] }];
    await inTextWorker("offline-turn", { prompt: question }, { account: accountId });
    return { run: await getRun(owner, id), stored: rows.map((row) => row.id) };
  });
}

/** What a process holds that is not held by its test runner too. */
function held() {
  const { libuv, workers } = process.report.getReport() as unknown as {
    libuv: { type: string; is_active: boolean }[];
    workers: unknown[];
  }; // documented, and typed as an object
  const handles = libuv.filter(({ type }) => ["tcp", "pipe", "process"].includes(type));
  return { handles: handles.length, threads: workers.length };
}

test("two services of one process work on their own databases, apart", async () => {
  const [one, other] = [await openService("a"), await openService("b")];
  const [first, second] = await Promise.all([ask(one.service), ask(other.service)]);
  for (const [{ run, stored }, text] of [
    [first, "a"],
    [second, "b"],
  ] as const) {
    expect(run).toMatchObject({ status: "completed", result: { text } });
    expect(stored).toEqual([run.id]);
  }
  await one.service.close();
  expect((await ask(other.service)).run).toMatchObject({ result: { text: "b" } });
});

test("of a closed service nothing is left: no connection, thread, timer or hook", async () => {
  const set = vi.spyOn(globalThis, "setInterval");
  const cleared = vi.spyOn(globalThis, "clearInterval");
  const before = held();
  const { service, database } = await openService("c");
  await ask(service);
  expect(held().threads).toBeGreaterThan(before.threads);
  const begun = set.mock.results.map(({ value }) => value as NodeJS.Timeout); // it returns no other
  expect(begun.length).toBeGreaterThan(0);

  await service.close();
  await vi.waitFor(() => expect(held()).toEqual(before));
  const ended = new Set(cleared.mock.calls.map(([timer]) => timer));
  expect(begun.filter((timer) => !ended.has(timer))).toEqual([]);
  expect(processHooks().shutdown).toBeUndefined();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT count(*)::int AS others, (SELECT count(*)::int FROM engine_processes) AS processes
       FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await client.end();
  // It has told the others that it ends, which takes its connections.
  expect(rows).toEqual([{ others: 0, processes: 0 }]);
});
