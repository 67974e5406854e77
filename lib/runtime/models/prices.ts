import "server-only";
import type { Env } from "@/lib/env";
import type { ModelPrice } from "@/lib/model/models/catalogue";
import type { CacheTime } from "@/lib/model/models/model-facts";
import { MICROS_PER_CREDIT } from "@/lib/model/run/run-result";
import { type AvailableModel, availableModels } from "@/lib/runtime/models/available-models";
import { parseCompatiblePrices } from "@/lib/runtime/models/compatible/prices";
import { providerOf } from "@/lib/runtime/models/providers/providers";
import { type TurnUsage, tokensAtMost } from "@/lib/runtime/models/read-turn";

const TOKENS_PER_PRICE = 1_000_000n;

/**
 * What a model call costs, in micros of credits, rounded up; at least 1, for no call is free. All
 * sums are in whole numbers. A model that the configuration has lost meanwhile costs what an
 * unpriced compatible one does.
 */
export function priceUsage(
  modelId: string,
  usage: Omit<TurnUsage, "capability">,
  env: Env,
): bigint {
  const price = priceOf(modelId, usage.inputTokens, env);
  const input = whole(usage.inputTokens);
  const cached = smaller(whole(usage.cachedInputTokens), input);
  const written = smaller(whole(usage.cacheWriteTokens ?? 0), input - cached);
  const forHour = smaller(whole(usage.cacheWriteHourTokens ?? 0), written);
  const total =
    (input - cached - written) * toMicros(price.input) +
    cached * toMicros(price.cached_input) +
    (written - forHour) * toMicros(price.cache_write ?? price.input) +
    forHour * toMicros(hourPrice(price)) +
    whole(usage.outputTokens) * toMicros(price.output);
  const rounded = (total + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE;
  return rounded < 1n ? 1n : rounded;
}

/**
 * Of what is written to a cache for an hour; Anthropic takes twice the input's price of any model.
 */
function hourPrice({
  cache_write_1h,
  input,
}: Pick<ModelPrice, "cache_write_1h" | "input">): number {
  return cache_write_1h ?? input * 2;
}

/**
 * What so many units cost that a model makes, in micros of credits; never nothing. @param unitPrice
 * credits a unit
 */
export function priceUnits(unitPrice: number, units: number): bigint {
  const micros = BigInt(Math.ceil(unitPrice * MICROS_PER_CREDIT * units));
  return micros < 1n ? 1n : micros;
}

/**
 * What a call may cost whose prompt the vendor may write to its cache whole, in micros of credits.
 * @param hourTokens of the prompt, what may be written for an hour
 */
export function priceAtMost(
  modelId: string,
  inputTokens: number,
  outputTokens: number,
  env: Env,
  hourTokens = 0,
): bigint {
  const written = { cacheWriteTokens: inputTokens, cacheWriteHourTokens: hourTokens };
  return priceUsage(modelId, { inputTokens, outputTokens, cachedInputTokens: 0, ...written }, env);
}

/**
 * The longest answer, in tokens, to a prompt of `inputTokens` that `micros` pay for whole.
 * @param hourTokens of the prompt, what may be written for an hour
 */
export function affordableTokens(
  modelId: string,
  inputTokens: number,
  micros: bigint,
  env: Env,
  hourTokens = 0,
): number {
  const price = priceOf(modelId, inputTokens, env);
  const forHour = smaller(whole(hourTokens), whole(inputTokens));
  const left =
    micros * TOKENS_PER_PRICE -
    (whole(inputTokens) - forHour) * toMicros(price.cache_write ?? price.input) -
    forHour * toMicros(hourPrice(price));
  return left <= 0n ? 0 : Number(left / toMicros(price.output));
}

/**
 * The price of a call with so many tokens of input: a long prompt may cost more by the token, all
 * of it.
 */
function priceOf(modelId: string, inputTokens: number, env: Env): Omit<ModelPrice, "tiers"> {
  const price = availableModels(env).find(modelId)?.price ?? parseCompatiblePrices("")(modelId);
  const reached =
    price.tiers?.filter(({ above_input_tokens }) => inputTokens > above_input_tokens) ?? [];
  return (
    reached.toSorted((left, right) => right.above_input_tokens - left.above_input_tokens)[0] ??
    price
  );
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

/**
 * System prompt and built-in tools, which every turn carries beside what it is given; a test
 * compares.
 */
const OVERHEAD_TOKENS = 4_200;
/** The same of a build, with its tools' schemas and what it is told of the account. */
const BUILD_OVERHEAD_TOKENS = 12_000;
/** The least answer that a model call is made for. */
const LEAST_ANSWER_TOKENS = 500;
/**
 * Where a config does not say how long an answer may be: enough for a long document, and few enough
 * to be reserved.
 */
const ANSWER_TOKENS = 8_192;
/** A model that thinks before it answers writes that too. */
const REASONED_ANSWER_TOKENS = 16_384;

/**
 * What a run reserves before it starts, in micros of credits: what its first turn, on this text,
 * costs at least.
 * @param cache how long the vendor's cache is asked to keep system prompt and tools
 */
export function estimateMicros(
  modelId: string,
  text: string,
  env: Env,
  { isBuild = false, cache = "5m" }: { isBuild?: boolean; cache?: CacheTime } = {},
): bigint {
  const tokens = (isBuild ? BUILD_OVERHEAD_TOKENS : OVERHEAD_TOKENS) + tokensAtMost(text);
  const forHour = cache === "1h" && providerOf(modelId)?.cachedForHour ? tokens : 0;
  return leastPrice(modelId, tokens, LEAST_ANSWER_TOKENS, env, forHour);
}

/**
 * What a call of a model costs with the least answer that is worth it, in micros of credits.
 * @param hourTokens of the prompt, what may be written to a cache for an hour
 */
export function leastPrice(
  modelId: string,
  inputTokens: number,
  answerTokens: number,
  env: Env,
  hourTokens = 0,
): bigint {
  const outputTokens = Math.min(LEAST_ANSWER_TOKENS, answerTokens);
  return priceAtMost(modelId, inputTokens, outputTokens, env, hourTokens);
}

/**
 * How many tokens an answer of this model may have, where money does not matter. @param configured
 * by the agent's config
 */
export function answerTokens(model: AvailableModel | null, configured: number | null): number {
  const wanted = configured ?? (model?.reasoning ? REASONED_ANSWER_TOKENS : ANSWER_TOKENS);
  return Math.min(wanted, model?.output_max_tokens ?? wanted);
}
