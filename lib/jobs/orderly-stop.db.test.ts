import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { checkInvariants } from "@/lib/domain/admin/check-invariants";
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
import { toMicros } from "@/lib/model/run/run-result";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "slow",
  DEFAULT_MODEL: "compatible/slow",
  LOG_LEVEL: "silent",
};

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
/** Whether the model comes to an end of what it says. */
let isEnding: boolean;
let calls: number;

const PARTS: LanguageModelV4StreamPart[] = [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "It goes on and on. ".repeat(200) },
];
const END: LanguageModelV4StreamPart[] = [
  { type: "text-end", id: "t" },
  {
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: {
      inputTokens: { total: 500, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 400, text: undefined, reasoning: undefined },
    },
  },
];
/** Speaks, and then comes to an end or never does. */
const model: LanguageModelV4 = {
  ...{ specificationVersion: "v4" as const, provider: "test", modelId: "slow", supportedUrls: {} },
  doGenerate: () => Promise.reject(new Error("unused")),
  async doStream() {
    calls += 1;
    const ends = isEnding;
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        for (const part of ends ? [...PARTS, ...END] : PARTS) controller.enqueue(part);
        if (ends) controller.close();
      },
    });
    return { stream };
  },
};

const startExecutor = () =>
  startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 20,
  });
const rowsOf = async (text: string, runId: string) =>
  (await database.pool.query(text, [runId])).rows;
const usageOf = (runId: string) =>
  rowsOf("SELECT step_key, credits_micros::text FROM run_usage WHERE run_id = $1", runId);
const lossesOf = (runId: string) =>
  rowsOf("SELECT reason, price_micros::int AS price FROM operator_losses WHERE run_id = $1", runId);

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  injectModel({ id: "compatible/slow", model });
});
beforeEach(async () => {
  owner = await database.account();
  isEnding = false;
  calls = 0;
  executor = await startExecutor();
});
afterAll(async () => {
  await database.close();
});

test("a stop amid ten calls costs the operator alone, and fails no run's budget", async () => {
  const runs = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      startTestRun(owner, { maxCreditsMicros: index % 2 === 0 ? toMicros(8) : null }),
    ),
  );
  await vi.waitFor(() => expect(calls).toBe(10), { timeout: 30_000 });
  await executor.stop({ graceMs: 0 });
  for (const { id } of runs) {
    expect(await usageOf(id)).toEqual([]);
    expect(await lossesOf(id)).toEqual([{ reason: "stopped", price: expect.any(Number) }]);
  }
  isEnding = true;
  executor = await startExecutor();
  for (const { id } of runs) {
    const run = await vi.waitFor(
      async () => {
        const now = await getRun(owner, id);
        expect(now.completedAt).not.toBeNull();
        return now;
      },
      { timeout: 60_000 },
    );
    expect(run).toMatchObject({ status: "completed" });
    expect(await usageOf(id)).toHaveLength(1);
  }
  expect(await checkInvariants(0)).toEqual({ ok: true });
  await executor.stop({ graceMs: 1_000 });
});

test("a call that a cancel cuts is the run's cost, as before", async () => {
  const { id } = await startTestRun(owner);
  await vi.waitFor(() => expect(calls).toBe(1), { timeout: 30_000 });
  await cancelRun(owner, id);
  await vi.waitFor(async () => expect(await usageOf(id)).toHaveLength(1), { timeout: 30_000 });
  expect(await lossesOf(id)).toEqual([]);
  await executor.stop({ graceMs: 1_000 });
});

test("a run whose processes died twice in a step fails with ENGINE_LOST, charged", async () => {
  await executor.stop({ graceMs: 0 });
  executor = await startEmbeddedExecutor({
    ...{ functions: [executeRun], pool: database.pool, concurrency: 20 },
    lanes: [{ name: "runs", functions: [executeRun], places: 20, deathsMax: 2 }],
  });
  const { id } = await startTestRun(owner);
  await vi.waitFor(() => expect(calls).toBe(1), { timeout: 30_000 });
  // As the second process that died with it leaves it.
  const left = await database.pool.query(
    `UPDATE engine_runs SET owner = NULL, queued = true, takeovers = 2 FROM engine_events e
     WHERE e.id = event_id AND e.data::jsonb ->> 'run_id' = $1 AND engine_runs.status = 'active'`,
    [id],
  );
  expect(left.rowCount).toBe(1);
  await executor.beat();
  const run = await vi.waitFor(
    async () => {
      const now = await getRun(owner, id);
      expect(now.completedAt).not.toBeNull();
      return now;
    },
    { timeout: 60_000 },
  );
  expect(run).toMatchObject({ status: "failed", error: { code: "ENGINE_LOST" } });
  expect(calls).toBe(1);
  expect(await checkInvariants(0)).toEqual({ ok: true });
  await executor.stop({ graceMs: 0 });
});
