import { afterAll, beforeAll, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { executeRun } from "@/lib/jobs/execute-run";
import { scriptedModel } from "@/lib/runtime/test/scripted-model";

const key = Buffer.alloc(32, 7).toString("base64");
const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key }]),
  SIGNING_SECRET: key,
  RUNS_AT_WORK_PER_ACCOUNT: "200",
};

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let calls = 0;
let open: () => void = () => {};
const gate = new Promise<void>((resolve) => {
  open = resolve;
});

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  injectModel(
    scriptedModel("builtin/offline", async () => {
      calls += 1;
      await gate;
      return { text: "done" };
    }),
  );
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 200,
  });
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
});

async function start(owner: Principal): Promise<string> {
  const run = await requestRun(owner, "agent", {
    agentId: null,
    input: { request: "Do it." },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: {},
    maxCreditsMicros: null,
  });
  if ("replayed" in run) throw new Error("there is no key to replay");
  return run.id;
}

test("while an account's row is held its runs wait; others complete", async () => {
  const [held, other] = [await database.account(), await database.account()];
  // More than the pool has connections.
  const waiting = await Promise.all(Array.from({ length: 40 }, () => start(held)));
  await expect.poll(() => calls, { interval: 5 }).toBe(40);
  const locker = await database.pool.connect();
  await locker.query("BEGIN");
  await locker.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [held.accountId]);
  const statusOf = async (owner: Principal, id: string) => (await getRun(owner, id)).status;
  open();
  const quick = await start(other);
  await expect
    .poll(() => statusOf(other, quick), { interval: 20, timeout: 5_000 })
    .toBe("completed");
  await locker.query("ROLLBACK");
  locker.release();
  for (const id of waiting)
    await expect.poll(() => statusOf(held, id), { interval: 20 }).toBe("completed");
});
