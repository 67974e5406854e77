import "server-only";
import { askCover, shortOf, type Used } from "@/lib/domain/execution/pay/paid-call";
import type { LoadedRun, RunLimits } from "@/lib/domain/execution/run/loaded-run";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import { models } from "@/lib/domain/models/models";
import { waitOutside } from "@/lib/engine/drive";
import { env } from "@/lib/env";
import type { CacheTime } from "@/lib/model/models/model-facts";
import { RunFailure } from "@/lib/model/run/run-failure";
import {
  affordableTokens,
  answerTokens,
  leastPrice,
  priceAtMost,
  priceUsage,
} from "@/lib/runtime/models/prices";
import { providerOf } from "@/lib/runtime/models/providers/providers";
import {
  type CutUsage,
  promptTokensAtMost,
  type TurnPrompt,
  type TurnTool,
  type TurnUsage,
} from "@/lib/runtime/models/read-turn";
import {
  streamTurn,
  TurnAborted,
  type TurnRequest,
  type TurnResult,
} from "@/lib/runtime/models/stream-turn";

/** What a call costs, by whichever model makes it, in millionths of a credit. */
export interface CallPrices {
  /**
   * With a short answer. It is also what the run goes on holding behind the call, so that the next
   * one finds as much.
   */
  least(modelId: string): bigint;
  /** With the longest answer that is wanted. */
  most(modelId: string): bigint;
  /** The longest answer that so much pays for, in tokens. */
  answerTokens(modelId: string, micros: bigint): number;
}

/**
 * @param maxOutputTokens null: no config says how long an answer may be
 * @param cache how long the vendor's cache is asked to keep the beginning of the prompt
 */
export function callPrices(
  asked: { prompt: TurnPrompt; tools: TurnTool[] },
  maxOutputTokens: number | null,
  cache: CacheTime = "5m",
): CallPrices {
  const inputTokens = promptTokensAtMost(asked);
  const longest = (modelId: string) => answerTokens(models().find(modelId), maxOutputTokens);
  const system = asked.prompt.filter(({ role }) => role === "system");
  const beginning = promptTokensAtMost({ prompt: system, tools: asked.tools });
  const forHour = (modelId: string) =>
    cache === "1h" && providerOf(modelId)?.cachedForHour ? beginning : 0;
  return {
    least: (id) => leastPrice(id, inputTokens, longest(id), env(), forHour(id)),
    most: (id) => priceAtMost(id, inputTokens, longest(id), env(), forHour(id)),
    answerTokens: (id, micros) =>
      Math.min(longest(id), affordableTokens(id, inputTokens, micros, env(), forHour(id))),
  };
}

/** What a call of a language model used. */
export function usedTokens(model: string, usage: TurnUsage, keepMicros: bigint): Used {
  const { inputTokens, outputTokens, cachedInputTokens, capability } = usage;
  const tokens = { inputTokens, outputTokens, cachedInputTokens, capability };
  return { model, ...tokens, units: 0, micros: priceUsage(model, usage, env()), keepMicros };
}

export interface PaidModelCall<Result> {
  run: LoadedRun;
  limits: RunLimits;
  prices: CallPrices;
  /** What is covered already, for the model that is called first; null: nothing. */
  covered: { modelId: string; micros: bigint } | null;
  request: Omit<TurnRequest, "cover" | "deadline" | "signal" | "redact" | "runId">;
  signal: AbortSignal;
  /** Whether the signal keeps to the run's time by itself. */
  isTimed: boolean;
  /** Pays for what was answered, and makes something of it. */
  settle(result: TurnResult): Promise<Result>;
  /** Pays for what a call that was cut had used. */
  settleCut(usage: CutUsage): Promise<void>;
}

/** Longer than a timer can be. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Calls a language model for a run, and has the run pay for it: each attempt is covered by the
 * price of the model that it asks, and its answer cut to what is covered; what was used is paid
 * for, also where the call was cut. No secret of the account is in what a provider says of a
 * failure.
 * @throws RunFailure TIMEOUT; BUDGET_EXCEEDED, INSUFFICIENT_CREDITS or BudgetShort where not even a
 * short answer is covered; ModelFailure; TurnAborted
 */
export async function callPaidModel<Result>(call: PaidModelCall<Result>): Promise<Result> {
  const { run, limits, prices } = call;
  const remaining = limits.deadline.getTime() - Date.now();
  if (!call.isTimed && remaining <= 0) throw timeIsUp();
  const { results } = await secretRedactor(run.accountId, run.surroundings.secrets);
  let { covered } = call;
  const cover = async (modelId: string) => {
    const first = covered?.modelId === modelId ? covered.micros : null;
    covered = null;
    const micros = first ?? (await coveredMicros(run, limits, prices, modelId));
    return prices.answerTokens(modelId, micros);
  };
  const timer = new AbortController();
  const alarm = call.isTimed
    ? undefined
    : setTimeout(() => timer.abort(), Math.min(Math.max(0, remaining), TIMER_MAX_MS));
  const request = {
    ...call.request,
    cover,
    deadline: limits.deadline,
    signal: AbortSignal.any([call.signal, timer.signal]),
    redact: results.redact,
    runId: run.id,
  };
  try {
    return await call.settle(await waitOutside(() => streamTurn(request)));
  } catch (error) {
    if (!(error instanceof TurnAborted)) throw error;
    if (error.usage) await call.settleCut(error.usage);
    throw timer.signal.aborted && !call.signal.aborted ? timeIsUp() : error;
  } finally {
    clearTimeout(alarm);
  }
}

/** The run ends of what cannot be covered, or waits until it is. */
async function coveredMicros(
  run: LoadedRun,
  limits: RunLimits,
  prices: CallPrices,
  modelId: string,
): Promise<bigint> {
  const least = prices.least(modelId);
  const cover = await askCover(run, limits, least, prices.most(modelId));
  if (cover.is === "covered") return cover.micros;
  throw cover.is === "short" ? shortOf(limits, least, cover.failure) : new TurnAborted(null);
}

export function timeIsUp(): RunFailure {
  return new RunFailure("TIMEOUT", "The run's time limit was reached before it came to an end.");
}
