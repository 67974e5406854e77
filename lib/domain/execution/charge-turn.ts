import "server-only";
import { chargeRun } from "@/lib/domain/credits/charge-run";
import type { StoredTurn } from "@/lib/domain/execution/load-run";
import { payerOf } from "@/lib/domain/execution/run-limits";
import type { SpeakInput } from "@/lib/domain/execution/speak-input";
import { toUsage, USAGE_OF_RUN } from "@/lib/domain/runs/run-view";
import { env } from "@/lib/env";
import { priceUsage } from "@/lib/runtime/models/price-usage";
import type { TurnUsage } from "@/lib/runtime/models/stream-turn";
import type { TurnContent } from "@/lib/runtime/models/turn-prompt";
import { type Transaction, transaction } from "@/lib/storage/transaction";

/** A priced call: the model that answered, what it used, how it ended, and what the run goes on holding for the next one. */
export type ChargedCall = { model: string; usage: TurnUsage; finishReason: string; keepMicros: bigint };

/** Stores a turn (null content: one that was aborted) and charges it, in one transaction; tells the log what the run has cost. */
export async function chargeTurn(
  input: SpeakInput,
  messageId: string,
  call: ChargedCall,
  content: TurnContent | null,
): Promise<StoredTurn> {
  const { run, turn, step, limits } = input;
  const usage = await transaction(async (tx) => {
    if (content) await storeTurn(tx, input, messageId, call, content);
    await chargeRun(tx, {
      ...payerOf(run, limits),
      agentId: run.agent?.id ?? null,
      stepKey: content ? `turn-${turn}` : `turn-${turn}-${messageId}`,
      model: call.model,
      capability: call.usage.capability,
      inputTokens: call.usage.inputTokens,
      outputTokens: call.usage.outputTokens,
      cachedInputTokens: call.usage.cachedInputTokens,
      units: 0,
      micros: priceUsage(call.model, call.usage, env()),
      keepMicros: call.keepMicros,
    });
    return readUsage(tx, run.id);
  });
  step.log.append({ type: "usage.updated", usage });
  return { turn, messageId, model: call.model, content: content ?? [], agentVersionId: run.agent?.currentVersionId ?? null };
}

async function storeTurn(tx: Transaction, input: SpeakInput, messageId: string, call: ChargedCall, content: TurnContent): Promise<void> {
  const { run, turn } = input;
  await tx.query({
    name: "store-turn",
    text: "INSERT INTO run_turns (run_id, turn, message_id, model, content, finish_reason, agent_version_id) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    values: [run.id, turn, messageId, call.model, JSON.stringify(content), call.finishReason, run.agent?.currentVersionId ?? null],
  });
}

async function readUsage(tx: Transaction, runId: string) {
  const { rows } = await tx.query<{ usage: Parameters<typeof toUsage>[0] }>({
    name: "read-usage",
    text: `SELECT ${USAGE_OF_RUN} AS usage FROM (SELECT $1::uuid AS id) r`,
    values: [runId],
  });
  return toUsage(rows[0]?.usage ?? null);
}
