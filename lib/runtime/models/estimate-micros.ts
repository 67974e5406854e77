import "server-only";
import type { Env } from "@/lib/env";
import type { AvailableModel } from "./available-models";
import { tokensAtMost } from "./estimate-tokens";
import { priceUsage } from "./price-usage";

/** System prompt and built-in tools, which every turn carries beside what it is given; a test compares. */
const OVERHEAD_TOKENS = 3500;
/** The least answer that a model call is made for. */
const LEAST_ANSWER_TOKENS = 500;
/** Where a config does not say how long an answer may be: enough for a long document, and few enough to be reserved. */
const ANSWER_TOKENS = 8_192;
/** A model that thinks before it answers writes that too. */
const REASONED_ANSWER_TOKENS = 16_384;

/** What a run reserves before it starts, in micros of credits: what its first turn, on this text, costs at least. */
export function estimateMicros(modelId: string, text: string, env: Env): bigint {
  return leastPrice(modelId, OVERHEAD_TOKENS + tokensAtMost(text), LEAST_ANSWER_TOKENS, env);
}

/** What a call of a model costs with the least answer that is worth it, in micros of credits. */
export function leastPrice(modelId: string, inputTokens: number, answerTokens: number, env: Env): bigint {
  const outputTokens = Math.min(LEAST_ANSWER_TOKENS, answerTokens);
  return priceUsage(modelId, { inputTokens, outputTokens, cachedInputTokens: 0 }, env);
}

/** How many tokens an answer of this model may have, where money does not matter. @param configured by the agent's config */
export function answerTokens(model: AvailableModel | null, configured: number | null): number {
  const wanted = configured ?? (model?.reasoning ? REASONED_ANSWER_TOKENS : ANSWER_TOKENS);
  return Math.min(wanted, model?.output_max_tokens ?? wanted);
}
