import "server-only";
import type { Env } from "@/lib/env";
import { MICROS_PER_CREDIT } from "@/lib/model/run/usage";
import { availableModels } from "./available-models";
import { parseCompatiblePrices } from "./parse-compatible-prices";
import type { TurnUsage } from "./turn-usage";

const TOKENS_PER_PRICE = 1_000_000n;

/**
 * What a model call costs, in micros of credits, rounded up; at least 1, for no call is free. All sums are in whole numbers. A
 * model that the configuration has lost meanwhile costs what an unpriced compatible one does.
 */
export function priceUsage(modelId: string, usage: Omit<TurnUsage, "capability">, env: Env): bigint {
  const price = priceOf(modelId, env);
  const input = whole(usage.inputTokens);
  const cached = smaller(whole(usage.cachedInputTokens), input);
  const total =
    (input - cached) * toMicros(price.input) + cached * toMicros(price.cached_input) + whole(usage.outputTokens) * toMicros(price.output);
  const rounded = (total + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE;
  return rounded < 1n ? 1n : rounded;
}

/** The longest answer, in tokens, to a prompt of `inputTokens` that `micros` pay for whole. */
export function affordableTokens(modelId: string, inputTokens: number, micros: bigint, env: Env): number {
  const price = priceOf(modelId, env);
  const left = micros * TOKENS_PER_PRICE - whole(inputTokens) * toMicros(price.input);
  return left <= 0n ? 0 : Number(left / toMicros(price.output));
}

function priceOf(modelId: string, env: Env) {
  return availableModels(env).find(modelId)?.price ?? parseCompatiblePrices("")(modelId);
}

/** Micros of credits for a million tokens. */
function toMicros(credits: number): bigint {
  return BigInt(Math.round(credits * MICROS_PER_CREDIT));
}

/** A provider's count is another's word: what is no count reads as 0. */
function whole(tokens: number): bigint {
  return Number.isFinite(tokens) && tokens > 0 ? BigInt(Math.round(tokens)) : 0n;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
