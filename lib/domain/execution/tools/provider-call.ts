import "server-only";
import { type Charge, chargeRun } from "@/lib/domain/credits/ledger";
import { chargeOf, settleCut } from "@/lib/domain/execution/pay/paid-call";
import {
  type CallPrices,
  callPaidModel,
  usedTokens,
} from "@/lib/domain/execution/pay/paid-model-call";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { type RunSpan, storeRunSpans } from "@/lib/domain/execution/trace/run-spans";
import { resolveModel } from "@/lib/domain/execution/turn/call-model";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import { toUsage } from "@/lib/domain/runs/run-view";
import { env } from "@/lib/env";
import { RunFailure } from "@/lib/model/run/run-failure";
import { newId } from "@/lib/platform/ids";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import { affordableTokens, leastPrice, priceAtMost, priceUnits } from "@/lib/runtime/models/prices";
import { promptTokensAtMost, type TurnPrompt } from "@/lib/runtime/models/read-turn";
import type { TurnRequest, TurnResult } from "@/lib/runtime/models/stream-turn";
import { type ToolContext, ToolFailure } from "@/lib/runtime/tools/tool";

/** What a provider did on its own servers, in a call that was answered or cut. */
type DoneOutside = Pick<TurnResult, "searches" | "ran">;

/** What the provider of a run's model is to do on its own servers, in one call of a tool. */
export interface ProviderCall {
  instructions: string;
  /** All that the call sees of the run. */
  text: string;
  ask: Pick<TurnRequest, "search" | "code">;
  /** Names under which tokens and units are paid, once however often the tool is called. */
  paidAs: { tokens: string; units: string };
  /** What the provider bills beside tokens; null: nothing. `price` in credits a unit. */
  units: { price: number; max: number; of(done: DoneOutside): number } | null;
  /** What its servers may put into the prompt, in tokens; more is its word, and is paid for. */
  materialTokens: number;
  /** How often it may read the prompt at most. */
  rounds: number;
  answerMaxTokens: number;
  /** Begins the sentence that its failure is told with. */
  undone: string;
}

/**
 * Has the provider of a run's model do something on its own servers, in a call that sees nothing
 * else of the run: covered before, paid behind, and shown in the trace.
 * @throws ToolFailure when it is not done; RunFailure TIMEOUT
 */
export async function callProvider(
  run: LoadedRun,
  wanted: ProviderCall,
  context: ToolContext,
): Promise<TurnResult> {
  const startedAt = performance.now();
  const result = await call(run, wanted, context).catch((error: unknown) => {
    if (!(error instanceof RunFailure) || error.code === "TIMEOUT") throw error;
    throw new ToolFailure(`${wanted.undone}: ${error.message}`);
  });
  const tookMs = performance.now() - startedAt;
  await run.cost.refresh();
  context.emit({ type: "usage.updated", usage: toUsage(run.cost.usage) });
  const { inputTokens: input_tokens, outputTokens: output_tokens } = result.usage;
  const span = (attributes: RunSpan["attributes"]): RunSpan => ({
    ...{ id: newId(), turn: run.transcript.turnOf(context.toolCallId)?.turn ?? 0 },
    ...{ kind: "model", name: result.model, status: "succeeded" },
    ...{ ago_ms: tookMs, took_ms: tookMs, output: null, error: null },
    attributes,
  });
  const [tokens, units] = keysOf(wanted, context);
  const spans = [span({ charge: tokens, input_tokens, output_tokens })];
  const used = wanted.units?.of(result) ?? 0;
  if (used > 0) spans.push(span({ charge: units, units: used }));
  await storeRunSpans(run.id, spans);
  return result;
}

const keysOf = ({ paidAs }: ProviderCall, { toolCallId }: ToolContext) =>
  [`${toolCallId}-${paidAs.tokens}`, `${toolCallId}-${paidAs.units}`] as const;

function call(run: LoadedRun, wanted: ProviderCall, context: ToolContext): Promise<TurnResult> {
  const { units } = wanted;
  const prompt: TurnPrompt = [
    { role: "system", content: wanted.instructions },
    { role: "user", content: [{ type: "text", text: wanted.text }] },
  ];
  const limits = runLimits(run);
  const prices = pricesOf(wanted, prompt);
  const keepMicros = prices.least(run.model);
  const [tokensKey, unitsKey] = keysOf(wanted, context);
  const tokensOf = ({ model, usage }: Pick<TurnResult, "model" | "usage">) =>
    chargeOf(run, limits, tokensKey, usedTokens(model, usage, keepMicros));
  const unitsOf = ({ model }: Pick<TurnResult, "model">, used: number, price: number) =>
    chargeOf(run, limits, unitsKey, {
      ...{ model, capability: "chat", units: used, keepMicros },
      ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
      micros: priceUnits(price, used),
    });
  const pay = (charge: Charge) => withinAccount(run.accountId, () => chargeRun(postgres(), charge));
  return callPaidModel({
    run,
    limits,
    prices,
    covered: null,
    request: {
      models: [resolveModel(run.model)],
      prompt,
      tools: [],
      toolChoice: { type: "auto" },
      ...wanted.ask,
      settings: { reasoning: "low" },
      onText: () => {},
      onReasoning: () => {},
      onRetry: () => {},
    },
    signal: context.signal,
    isTimed: true,
    async settle(result) {
      await pay(tokensOf(result));
      const used = units?.of(result) ?? 0;
      if (units && used > 0) await pay(unitsOf(result, used, units.price));
      return result;
    },
    async settleCut(cut) {
      const used = units?.of(cut) ?? 0;
      const charges = [tokensOf(cut)];
      // A container that was begun is billed, and so is each search, whoever reads the answer.
      if (units && used > 0) charges.push(unitsOf(cut, used, units.price));
      for (const charge of charges) await settleCut(run, context.signal, charge, () => pay(charge));
    },
  });
}

/** What is covered before: its tokens, with those of what comes in, and the units' own price. */
function pricesOf(
  { units, materialTokens, rounds, answerMaxTokens }: ProviderCall,
  prompt: TurnPrompt,
): CallPrices {
  const tokens = promptTokensAtMost({ prompt, tools: [] }) + materialTokens;
  const least = units === null ? 0n : priceUnits(units.price, 1);
  const most = units === null ? 0n : priceUnits(units.price, units.max);
  return {
    least: (id) => leastPrice(id, tokens, answerMaxTokens, env()) + least,
    most: (id) => priceAtMost(id, tokens * rounds, answerMaxTokens, env()) + most,
    answerTokens: (id, micros) =>
      Math.min(answerMaxTokens, affordableTokens(id, tokens, micros - least, env())),
  };
}
