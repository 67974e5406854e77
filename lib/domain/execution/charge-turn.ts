import "server-only";
import { chargeRun } from "@/lib/domain/credits/charge-run";
import type { Payer } from "@/lib/domain/credits/cover-call";
import type { StoredTurn } from "@/lib/domain/execution/load-run";
import { payerOf } from "@/lib/domain/execution/run-limits";
import type { SpeakInput } from "@/lib/domain/execution/speak-input";
import { toUsage, USAGE_OF_RUN } from "@/lib/domain/runs/run-view";
import { env } from "@/lib/env";
import { RunFailure } from "@/lib/model/run/run-failure";
import { toMicros } from "@/lib/model/run/usage";
import { priceUsage } from "@/lib/runtime/models/price-usage";
import type { TurnUsage } from "@/lib/runtime/models/stream-turn";
import type { TurnContent } from "@/lib/runtime/models/turn-prompt";
import { type Transaction, transaction } from "@/lib/storage/transaction";

/** A priced call: the model that answered, what it used, how it ended, and what the run goes on holding for the next one. */
export type ChargedCall = { model: string; usage: TurnUsage; finishReason: string; keepMicros: bigint };

/**
 * Stores a turn (null content: one that was aborted) and charges it, in one transaction; tells the log what the run has cost.
 * @throws RunFailure BUDGET_EXCEEDED or INSUFFICIENT_CREDITS when the vendor reports more than the run could pay, although it was told how long the
 * answer may be: what there was is charged, and an answer that broke its caller's own budget is no success
 */
export async function chargeTurn(
  input: SpeakInput,
  messageId: string,
  call: ChargedCall,
  content: TurnContent | null,
): Promise<StoredTurn> {
  const { run, turn, step, limits } = input;
  const payer = payerOf(run, limits);
  const micros = priceUsage(call.model, call.usage, env());
  const { paid, usage } = await transaction(async (tx) => {
    if (content) await storeTurn(tx, input, messageId, call, content);
    const paid = await chargeRun(tx, {
      ...payer,
      agentId: run.agent?.id ?? null,
      stepKey: content ? `turn-${turn}` : `turn-${turn}-${messageId}`,
      model: call.model,
      capability: call.usage.capability,
      inputTokens: call.usage.inputTokens,
      outputTokens: call.usage.outputTokens,
      cachedInputTokens: call.usage.cachedInputTokens,
      units: 0,
      micros,
      keepMicros: call.keepMicros,
    });
    return { paid, usage: await readUsage(tx, run.id) };
  });
  step.log.append({ type: "usage.updated", usage });
  if (content && paid < micros) throw shortfall(payer, toMicros(usage.credits));
  return { turn, messageId, model: call.model, content: content ?? [], agentVersionId: run.agent?.currentVersionId ?? null };
}

function shortfall({ runId, rootId, maxMicros }: Payer, spentMicros: bigint): RunFailure {
  const isOwnLimit = maxMicros !== null && (spentMicros >= maxMicros || (rootId !== null && rootId !== runId));
  return isOwnLimit
    ? new RunFailure(
        "BUDGET_EXCEEDED",
        "The model's provider reports that the answer cost more credits than the run was given. What it was given is charged.",
      )
    : new RunFailure("INSUFFICIENT_CREDITS", "The account's credits ran out while the run was at work.");
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
