/** The published list of models (contract §14): what requests may name, what each can do, and what it costs. */
export const MODEL_PROVIDERS = ["openai", "anthropic", "google", "compatible", "builtin"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Credits for a million tokens; a model's cached input costs less than its fresh input, and nothing is free. */
export interface ModelPrice {
  input: number;
  cached_input: number;
  /** What is written to the vendor's cache, where that costs more than input does. */
  cache_write?: number;
  output: number;
}

export interface ModelInfo {
  /** `provider/name`, as the field `model` carries it. */
  id: string;
  provider: ModelProvider;
  label: string;
  /** Whether it can call tools, look at images, and think before it answers. */
  tools: boolean;
  vision: boolean;
  reasoning: boolean;
  context_tokens: number;
  output_max_tokens: number;
  price: ModelPrice;
}

export const OFFLINE_MODEL_ID = "builtin/offline";

type Row = [
  id: string,
  label: string,
  reasoning: boolean,
  contextTokens: number,
  outputMaxTokens: number,
  input: number,
  cachedInput: number,
  output: number,
];

// One credit is a thousandth of a US dollar at the vendors' list prices, so $3 a million tokens are 3,000 credits.
const ROWS: Row[] = [
  ["openai/gpt-5.2", "GPT-5.2", true, 400_000, 128_000, 1750, 175, 14_000],
  ["openai/gpt-5.1", "GPT-5.1", true, 400_000, 128_000, 1250, 125, 10_000],
  ["openai/gpt-5", "GPT-5", true, 400_000, 128_000, 1250, 125, 10_000],
  ["openai/gpt-5-mini", "GPT-5 mini", true, 400_000, 128_000, 250, 25, 2000],
  ["openai/gpt-5-nano", "GPT-5 nano", true, 400_000, 128_000, 50, 5, 400],
  ["openai/gpt-4.1", "GPT-4.1", false, 1_047_576, 32_768, 2000, 500, 8000],
  ["openai/gpt-4.1-mini", "GPT-4.1 mini", false, 1_047_576, 32_768, 400, 100, 1600],
  ["anthropic/claude-opus-4-5", "Claude Opus 4.5", true, 200_000, 64_000, 5000, 500, 25_000],
  ["anthropic/claude-sonnet-4-5", "Claude Sonnet 4.5", true, 200_000, 64_000, 3000, 300, 15_000],
  ["anthropic/claude-haiku-4-5", "Claude Haiku 4.5", true, 200_000, 64_000, 1000, 100, 5000],
  ["google/gemini-2.5-pro", "Gemini 2.5 Pro", true, 1_048_576, 65_536, 1250, 125, 10_000],
  ["google/gemini-2.5-flash", "Gemini 2.5 Flash", true, 1_048_576, 65_536, 300, 30, 2500],
  ["google/gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite", true, 1_048_576, 65_536, 100, 10, 400],
];

/** What Anthropic takes for a token that it keeps for five minutes, in times of one that it does not. */
const ANTHROPIC_CACHE_WRITE = 1.25;

const OFFLINE: ModelInfo = {
  id: OFFLINE_MODEL_ID,
  provider: "builtin",
  label: "Built-in, rule-based",
  tools: true,
  vision: false,
  reasoning: true,
  context_tokens: 200_000,
  output_max_tokens: 16_000,
  price: { input: 100, cached_input: 50, output: 100 },
};

/** Every model that is published whatever is configured, in the order in which the lists show it. */
export const MODEL_CATALOGUE: readonly ModelInfo[] = [...ROWS.map(toInfo), OFFLINE];

function toInfo([id, label, reasoning, context_tokens, output_max_tokens, input, cached_input, output]: Row): ModelInfo {
  // The rows above name only providers of the list.
  const provider = id.slice(0, id.indexOf("/")) as ModelProvider;
  return {
    id,
    provider,
    label,
    tools: true,
    vision: true,
    reasoning,
    context_tokens,
    output_max_tokens,
    price: { input, cached_input, ...(provider === "anthropic" && { cache_write: input * ANTHROPIC_CACHE_WRITE }), output },
  };
}
