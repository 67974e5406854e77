import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { getRun } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { executeRun } from "@/lib/jobs/execute-run";
import { scriptedModel } from "@/lib/runtime/test/scripted-model";

const settings = {
  ...{
    OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
    OPENAI_COMPATIBLE_MODELS: "quick,stuck",
    DEFAULT_MODEL: "compatible/quick",
  },
  ...{ WORKER_CONCURRENCY: "8", LOG_LEVEL: "silent" },
};
const PLACES = 8;
const STUCK = "compatible/stuck";

let database: DomainDatabase;
let executor: EmbeddedExecutor | null = null;
let stuck: number;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  stuck = 0;
  injectModel(scriptedModel("compatible/quick", () => ({ text: "ok" })));
  injectModel(
    scriptedModel(STUCK, () => {
      stuck += 1;
      return new Promise(() => {});
    }),
  );
});
afterEach(async () => {
  await executor?.stop({ graceMs: 0 });
  executor = null;
});
afterAll(() => database.close());

async function start(isShared: boolean): Promise<void> {
  executor = await startEmbeddedExecutor({
    ...{ functions: [executeRun], pool: database.pool, concurrency: 8 },
    lanes: [{ name: "runs", functions: [executeRun], places: PLACES, isShared }],
  });
}

async function isDone(owner: Principal, id: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const { status, completedAt } = await getRun(owner, id);
      expect(completedAt).not.toBeNull();
      return status;
    },
    { timeout: 30_000, interval: 20 },
  );
}

test.each([
  ["of a fixed share", false],
  ["of shares that follow who waits", true],
])(
  "accounts whose models never answer keep nobody else's runs waiting, by any places: %s",
  async (_of, isShared) => {
    stuck = 0;
    await start(isShared);
    const hostile = await Promise.all(Array.from({ length: 4 }, () => database.account()));
    const held: { owner: Principal; id: string }[] = [];
    for (const owner of hostile)
      for (let count = 0; count < 5; count += 1)
        held.push({ owner, id: (await startTestRun(owner, { model: STUCK })).id });
    // As many as an account may have at work, of each: all places, were a place held while a model
    // is waited for.
    await vi.waitFor(() => expect(stuck).toBeGreaterThanOrEqual(PLACES), { timeout: 30_000 });
    const other = await database.account();
    for (let count = 0; count < 20; count += 1)
      expect(await isDone(other, (await startTestRun(other)).id)).toBe("completed");
    // Theirs wait on, within their bound.
    if (!isShared) expect(stuck).toBe(PLACES);
    for (const { owner, id } of held) await cancelRun(owner, id);
    for (const { owner, id } of held) expect(await isDone(owner, id)).toBe("cancelled");
    expect(await isDone(other, (await startTestRun(other)).id)).toBe("completed");
  },
);
