import { afterAll, beforeAll, expect, test } from "vitest";
import { chargeRun } from "@/lib/domain/credits/ledger";
import { payerOf } from "@/lib/domain/execution/pay/paid-call";
import { beginTurn } from "@/lib/domain/execution/turn/begin-turn";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import { loadRun } from "@/lib/domain/run-steps";
import { requestRun } from "@/lib/domain/runs/request-run";
import { toUsage } from "@/lib/domain/runs/run-view";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { env } from "@/lib/env";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

test("what a replaced driver charged before its log was taken counts in its cost", async () => {
  const owner = await database.account();
  const started = await requestRun(owner, "agent", {
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
  if ("replayed" in started) throw new Error("there is no key to replay");
  const model = env().DEFAULT_MODEL;
  const run = await loadRun(started.id);
  const limits = runLimits(run);
  const paid = await chargeRun(database.pool, {
    ...payerOf(run, limits),
    agentId: null,
    stepKey: `turn-0-${newId()}`,
    model,
    capability: "chat",
    inputTokens: 10,
    outputTokens: 10,
    cachedInputTokens: 0,
    units: 0,
    micros: 7n,
    keepMicros: 1_000_000n,
  });
  expect(paid).toBe(7n);
  const { signal } = new AbortController();
  const session = { runId: run.id, writer: null, known: null, signal };
  const input = {
    run,
    turn: 0,
    limits,
    prompt: { messages: [] },
    tools: [],
    toolChoice: "auto",
    session,
  };
  // It reads neither prompt nor tools.
  const begin = () => beginTurn(input as unknown as Parameters<typeof beginTurn>[0], 1n, 10n);
  expect((await begin()).voided).toBeNull();
  expect(run.cost.spentMicros).toBe(7n);
  expect(toUsage(run.cost.usage)).toMatchObject({
    credits: 0.000007,
    breakdown: [{ model, output_tokens: 10 }],
  });

  // What an attempt began to say is void, unless it was stored with its turn.
  const open = newId();
  await database.pool.query("UPDATE run_logs SET open_message_id = $2 WHERE run_id = $1", [
    run.id,
    open,
  ]);
  expect((await begin()).voided).toBe(open);
  const content = [{ type: "text" as const, text: "Done." }];
  const taken = { turn: 0, messageId: open, model, content, finishReason: "stop" };
  run.transcript.append({ ...taken, agentVersionId: null });
  expect((await begin()).voided).toBeNull();
});
