import "server-only";
import { type Charge, chargeArgument, type Payer } from "@/lib/domain/credits/ledger";
import { chargeOf, settleCut, shortOf } from "@/lib/domain/execution/pay/paid-call";
import { usedTokens } from "@/lib/domain/execution/pay/paid-model-call";
import { toStoredContent } from "@/lib/domain/execution/run/stored-content";
import type { StoredTurn } from "@/lib/domain/execution/run/transcript";
import { toFailedSpans, toSpanParts } from "@/lib/domain/execution/trace/run-spans";
import type { TurnOutcome } from "@/lib/domain/execution/turn/outcomes";
import type { ChargedCall, SettledTurn } from "@/lib/domain/execution/turn/settled-turn";
import type { TurnInput } from "@/lib/domain/execution/turn/turn-input";
import { toUsage, type UsageSum } from "@/lib/domain/runs/run-view";
import { foldStep } from "@/lib/engine/drive";
import { storeWithLog } from "@/lib/engine/events/append-run-log";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { RunFailure } from "@/lib/model/run/run-failure";
import { toMicros, type Usage } from "@/lib/model/run/run-result";
import { callSql } from "@/lib/platform/call-sql";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import type { ModelTurn, SpanPart } from "@/lib/platform/sql-functions";

const PAID_TRIES = 20;

/** The charge of a turn's call. @param content null: the call was aborted */
export function settledTurn(
  input: TurnInput,
  messageId: string,
  call: ChargedCall,
  content: StoredTurn["content"] | null,
): SettledTurn {
  const { run, turn, limits } = input;
  const stepKey = content ? `turn-${turn}` : `turn-${turn}-${messageId}`;
  const charge = chargeOf(
    run,
    limits,
    stepKey,
    usedTokens(call.model, call.usage, call.keepMicros),
  );
  const taken = {
    turn,
    messageId,
    model: call.model,
    content: content ?? [],
    finishReason: call.finishReason,
    agentVersionId: run.agent?.currentVersionId ?? null,
    told: input.told,
    countedTokens: call.call?.countedTokens ?? null,
  };
  return { taken, call, charge, usage: usageWith(run.cost.usage, charge, charge.micros) };
}

/**
 * A turn, and what its failed calls leave for the trace, as the functions of the database take it.
 */
export function turnArguments(
  runId: string,
  { taken, call: { call, failed } }: SettledTurn,
): { turn: ModelTurn; spans: SpanPart[] } {
  const turn = {
    run: runId,
    turn: taken.turn,
    message_id: taken.messageId,
    model: taken.model,
    content: toStoredContent(taken.content),
    finish_reason: taken.finishReason,
    agent_version_id: taken.agentVersionId,
    took_ms: call?.tookMs ?? null,
    first_token_ms: call?.firstTokenMs == null ? null : Math.round(call.firstTokenMs),
    reasoning_tokens: call?.reasoningTokens ?? null,
    request_id: call?.requestId ?? null,
    counted_tokens: taken.countedTokens ?? null,
    told: taken.told ? JSON.stringify(taken.told) : null,
  };
  return { turn, spans: toSpanParts(toFailedSpans(taken.turn, failed ?? [], "retry")) };
}

/**
 * Stores a turn that another follows, with its charge, in one statement; tells the log what the run
 * has cost.
 * @param outcome what the engine does next: it is stored with the turn
 * @throws RunFailure BUDGET_EXCEEDED or INSUFFICIENT_CREDITS when the vendor reports more than the
 * run could pay, although it was told how long the answer may be: what there was is charged, and an
 * answer that broke its caller's own budget is no success. BudgetShort where the run waits: the
 * answer is given once so much more may be spent, which is not charged
 */
export async function storeTurn(
  input: TurnInput,
  writer: RunLogWriter,
  settled: SettledTurn,
  outcome: TurnOutcome | null,
): Promise<void> {
  const paid = await storeCharged(
    input,
    writer,
    settled,
    turnArguments(input.run.id, settled),
    outcome,
  );
  // Where the run waits for credits, what follows from an answer of calls does so itself.
  const missing = settled.charge.micros - paid;
  if (missing > 0n && !(input.limits.waitsForCredits && outcome !== null)) {
    const { credits } = usageWith(input.run.cost.usage, settled.charge, paid);
    throw shortOf(input.limits, missing, shortfall(settled.charge, toMicros(credits)));
  }
  input.run.transcript.append(settled.taken);
}

/** Charges a call that was aborted for what was used, as `settleCut` says. */
export async function chargeAborted(
  input: TurnInput,
  writer: RunLogWriter,
  settled: SettledTurn,
): Promise<void> {
  await settleCut(input.run, input.session.signal, settled.charge, () =>
    storeCharged(input, writer, settled, { turn: null, spans: [] }, null),
  );
}

/**
 * Stores what a call cost, with the turn or without. Where it comes out otherwise than foreseen,
 * the log says what was paid.
 */
async function storeCharged(
  input: TurnInput,
  writer: RunLogWriter,
  settled: SettledTurn,
  { turn, spans }: { turn: ModelTurn | null; spans: SpanPart[] },
  outcome: TurnOutcome | null,
): Promise<bigint> {
  const { run } = input;
  const fold = turn && outcome && (await foldStep(outcome));
  const store = (paid: bigint) =>
    storeWithLog(
      writer,
      [{ type: "usage.updated", usage: usageWith(run.cost.usage, settled.charge, paid) }],
      turn ? null : undefined,
      (log) => {
        const charge = chargeArgument(settled.charge);
        const result = fold?.argument ?? null;
        return withinAccount(run.accountId, () =>
          callSql(postgres(), "store_turn", { turn, spans, charge, paid, log, result }),
        );
      },
    );
  let paid = settled.charge.micros;
  for (let tries = 1; ; tries++) {
    try {
      await store(paid);
      break;
    } catch (error) {
      // What can be paid changes while other runs of the account pay.
      const actual = paidInstead(error);
      if (actual === null || tries > PAID_TRIES) throw error;
      paid = actual;
    }
  }
  fold?.done();
  return paid;
}

/**
 * What was paid in place of what the caller foresaw, where that is what the database says (LT003).
 */
export function paidInstead(error: unknown): bigint | null {
  return error instanceof Error && "code" in error && error.code === "LT003" && "detail" in error
    ? BigInt(String(error.detail))
    : null;
}

function usageWith(before: readonly UsageSum[], charge: Charge, paid: bigint): Usage {
  const sums = before.map((sum) => ({ ...sum }));
  let sum = sums.find(
    ({ model, capability }) => model === charge.model && capability === charge.capability,
  );
  if (!sum) {
    const { model, capability } = charge;
    sum = {
      model,
      capability,
      input_tokens: 0,
      output_tokens: 0,
      cached_input_tokens: 0,
      units: 0,
      micros: 0,
    };
    sums.push(sum);
  }
  sum.input_tokens += charge.inputTokens;
  sum.output_tokens += charge.outputTokens;
  sum.cached_input_tokens += charge.cachedInputTokens;
  sum.units += charge.units;
  sum.micros += Number(paid);
  return toUsage(
    sums.sort((a, b) => (`${a.model} ${a.capability}` < `${b.model} ${b.capability}` ? -1 : 1)),
  );
}

function shortfall({ runId, rootId, maxMicros }: Payer, spentMicros: bigint): RunFailure {
  const isOwnLimit =
    maxMicros !== null && (spentMicros >= maxMicros || (rootId !== null && rootId !== runId));
  return isOwnLimit
    ? new RunFailure(
        "BUDGET_EXCEEDED",
        "The model's provider reports that the answer cost more credits than the run was " +
          "given. What it was given is charged.",
      )
    : new RunFailure(
        "INSUFFICIENT_CREDITS",
        "The account's credits ran out while the run was at work.",
      );
}
