import { z } from "zod";

/**
 * What is known of models, as data: `model-facts.json` beside this file, each row with where it
 * comes from, and an operator's `MODELS_FILE` of the same form.
 * One credit is a thousandth of a US dollar at the vendors' list prices, so $3 a million tokens are
 * 3,000 credits.
 */
const credits = z.number().positive().max(1_000_000_000);

const priceFields = {
  input: credits,
  /** Input that the vendor's cache held. */
  cached_input: credits,
  /** What is written to the vendor's cache, where that costs more than input does. */
  cache_write: credits.optional(),
  /** The same where it is to stay for an hour. */
  cache_write_1h: credits.optional(),
  output: credits,
};

/**
 * Credits for a million tokens. A prompt of more than `above_input_tokens` is paid at its tier's
 * prices, all of it.
 */
const modelPriceSchema = z.strictObject({
  ...priceFields,
  tiers: z
    .array(z.strictObject({ above_input_tokens: z.int().positive(), ...priceFields }))
    .optional(),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/**
 * How much a model thinks before it answers, in words that hold for every vendor (contract §17).
 */
export const REASONING_EFFORTS = ["off", "low", "medium", "high", "max"] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/**
 * How a model is told how much to think. `effort`: a word (OpenAI); `adaptive`: a word, and it
 * thinks as it sees fit (Claude from 4.6 on); `level`: a word (Gemini from 3 on); `budget`: a
 * number of tokens. `words` holds the vendor's own word, or number, for each of ours; `off` is the
 * least where a model cannot leave it, and `can_disable` says that it can.
 */
const thinkingSchema = z.strictObject({
  kind: z.enum(["effort", "adaptive", "level", "budget"]),
  can_disable: z.boolean().default(false),
  words: z.partialRecord(z.enum(REASONING_EFFORTS), z.string().max(40)),
});
export type ModelThinking = z.infer<typeof thinkingSchema>;

/** What a model answers with an error: a temperature, or being made to call a tool. */
export const MODEL_REFUSALS = ["temperature", "forced_tool"] as const;
export type ModelRefusal = (typeof MODEL_REFUSALS)[number];

/** How long a vendor's cache is asked to keep the beginning of a prompt. */
export const CACHE_TIMES = ["5m", "1h"] as const;
export type CacheTime = (typeof CACHE_TIMES)[number];

const modelId = z.string().max(200).refine(isModelId, "must be provider/name");
const date = z.iso.date();

const modelFactsRow = z.strictObject({
  id: modelId,
  label: z.string().min(1).max(100),
  /** Models of one family follow each other; the newest stands first. */
  family: z.string().max(40).optional(),
  context_tokens: z.int().positive(),
  output_max_tokens: z.int().positive(),
  price: modelPriceSchema,
  /** Whether it looks at images, and calls tools. */
  vision: z.boolean().default(true),
  tools: z.boolean().default(true),
  thinking: thinkingSchema.optional(),
  refuses: z.array(z.enum(MODEL_REFUSALS)).default([]),
  released: date.optional(),
  /** The first day on which its vendor no longer serves it. */
  retires: date.optional(),
  /** What its vendor names in its place. */
  successor: modelId.optional(),
  sources: z.array(z.string().max(300)).default([]),
});
export type ModelFacts = z.infer<typeof modelFactsRow>;

/** What a model is wanted for: runs, building and editing agents, judging answers. */
export const MODEL_ROLES = ["run", "builder", "judge"] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

const factsFields = {
  /**
   * Credits a search of a vendor's own on top of its tokens, by what models' ids begin with; the
   * longest that fits an id holds.
   */
  searches: z.record(z.string().max(200), credits),
  /**
   * Credits a container in which a vendor runs one call's code, on top of its tokens, likewise; a
   * vendor without an entry takes nothing more.
   */
  containers: z.record(z.string().max(200), credits),
  /** An id that stands for the newest of a family, such as `anthropic/latest-sonnet`. */
  aliases: z.record(modelId, modelId),
  /** By provider: the model of each role, where the operator names none. */
  defaults: z.record(z.string(), z.partialRecord(z.enum(MODEL_ROLES), modelId)),
  models: z.array(modelFactsRow).max(2000),
};

/** The file of the repository: complete, dated, with its sources. */
export const modelFactsSchema = z.strictObject({
  checked: date,
  sources: z.record(z.string(), z.string()),
  ...factsFields,
});

/** An operator's file: what it says stands before what the repository says, row by row. */
export const operatorFactsSchema = z
  .strictObject({ ...factsFields, checked: date, sources: z.record(z.string(), z.string()) })
  .partial();
export type OperatorFacts = z.infer<typeof operatorFactsSchema>;

const NAME_MAX_CHARACTERS = 150;

/**
 * Whether a text has the form `provider/name` of a model's id; names hold letters, digits and `. _
 * : / @ -`.
 */
export function isModelId(id: string): boolean {
  const slash = id.indexOf("/");
  if (slash < 1 || slash > 40) return false;
  return isModelName(id.slice(slash + 1));
}

export function isModelName(name: string): boolean {
  return name.length > 0 && name.length <= NAME_MAX_CHARACTERS && /^[A-Za-z0-9._:/@-]+$/.test(name);
}
