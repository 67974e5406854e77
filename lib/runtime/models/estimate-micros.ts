import "server-only";
import type { Env } from "@/lib/env";
import { estimateTokens } from "./estimate-tokens";
import { priceUsage } from "./price-usage";

/** System prompt and tools, which every turn carries beside the input. */
const OVERHEAD_TOKENS = 1500;
const ANSWER_TOKENS = 500;

/** What a run reserves before it starts, in micros of credits: about one turn. `maxOutputTokens` may only lower it. */
export function estimateMicros(modelId: string, inputCharacters: number, maxOutputTokens: number | null, env: Env): bigint {
  const inputTokens = OVERHEAD_TOKENS + estimateTokens(inputCharacters);
  const outputTokens = Math.min(ANSWER_TOKENS, maxOutputTokens ?? ANSWER_TOKENS);
  return priceUsage(modelId, { inputTokens, outputTokens, cachedInputTokens: 0 }, env);
}
