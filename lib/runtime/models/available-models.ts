import "server-only";
import { z } from "zod";
import { type Env, SettingsError } from "@/lib/env";
import type { MediaToolName } from "@/lib/model/agent-config/built-in-tools";
import { MODEL_CATALOGUE, type ModelInfo, type ModelPrice, type ModelProvider, OFFLINE_MODEL_ID } from "@/lib/model/models/catalogue";

/** A model as this deployment knows it; `switched_on` says that its provider is configured. */
export interface AvailableModel extends ModelInfo {
  switched_on: boolean;
}

export interface MediaModel {
  /** `provider/name`. */
  id: string;
  capability: MediaToolName;
  /** Credits a unit: an image, a character of speech, a second of video. */
  unit_price: number;
  /** Of one that makes images: the sizes that it takes, with credits each, where the operator says so. */
  sizes?: Record<string, number>;
}

export interface AvailableModels {
  /** Every model that a request may name: the published list and the configured compatible ones. */
  known: readonly AvailableModel[];
  media: readonly MediaModel[];
  /** The model of a run that names none. */
  default_model: string;
  find(id: string): AvailableModel | null;
}

const COMPATIBLE_CONTEXT_TOKENS = 128_000;
const COMPATIBLE_OUTPUT_TOKENS = 16_384;

/**
 * The models of a deployment, by its environment.
 * @throws SettingsError that names the variable, when `OPENAI_COMPATIBLE_PRICES` is not what it should be, or `DEFAULT_MODEL` names a model that is unknown or
 * switched off
 */
export function availableModels(env: Env): AvailableModels {
  const existing = made.get(env);
  if (existing) return existing;
  const models = readModels(env);
  made.set(env, models);
  return models;
}

/** Hot paths ask for every call; an environment is parsed once and never changes. */
const made = new WeakMap<Env, AvailableModels>();

function readModels(env: Env): AvailableModels {
  const on = switchedOnProviders(env);
  const all = [...compatibleModels(env), ...MODEL_CATALOGUE];
  const known = all.map((model) => ({ ...model, switched_on: on.has(model.provider) }));
  const byId = new Map(known.map((model) => [model.id, model]));
  const find = (id: string) => byId.get(id) ?? null;
  return { known, media: mediaModels(env), default_model: pickDefault(env.DEFAULT_MODEL, known, find), find };
}

function switchedOnProviders(env: Env): Set<ModelProvider> {
  const on = new Set<ModelProvider>(["builtin"]);
  if (env.OPENAI_API_KEY) on.add("openai");
  if (env.ANTHROPIC_API_KEY) on.add("anthropic");
  if (env.GOOGLE_GENERATIVE_AI_API_KEY) on.add("google");
  if (env.OPENAI_COMPATIBLE_BASE_URL) on.add("compatible");
  return on;
}

function compatibleModels(env: Env): ModelInfo[] {
  const priceOf = parseCompatiblePrices(env.OPENAI_COMPATIBLE_PRICES);
  const vision = new Set(env.OPENAI_COMPATIBLE_VISION_MODELS);
  return [...new Set([...env.OPENAI_COMPATIBLE_MODELS, ...vision])].map((name) => ({
    id: `compatible/${name}`,
    provider: "compatible",
    label: name,
    tools: true,
    vision: vision.has(name),
    reasoning: false,
    context_tokens: COMPATIBLE_CONTEXT_TOKENS,
    output_max_tokens: COMPATIBLE_OUTPUT_TOKENS,
    price: priceOf(name),
  }));
}

function mediaModels(env: Env): MediaModel[] {
  if (!env.OPENAI_COMPATIBLE_BASE_URL) return [];
  const prices = readPrices(env.OPENAI_COMPATIBLE_PRICES);
  const of = (names: string[], capability: MediaModel["capability"]) =>
    names.map((name) => {
      const { unit = DEFAULT_UNIT[capability], sizes } = prices[name] ?? {};
      return { id: `compatible/${name}`, capability, unit_price: unit, ...(sizes && capability === "image" && { sizes }) };
    });
  return [
    ...of(env.OPENAI_COMPATIBLE_IMAGE_MODELS, "image"),
    ...of(env.OPENAI_COMPATIBLE_SPEECH_MODELS, "speech"),
    ...of(env.OPENAI_COMPATIBLE_VIDEO_MODELS, "video"),
  ];
}

const DEFAULT_ORDER: ModelProvider[] = ["openai", "anthropic", "google", "compatible", "builtin"];
const PREFERRED = new Map<ModelProvider, string>([
  ["openai", "openai/gpt-5.1"],
  ["anthropic", "anthropic/claude-sonnet-4-5"],
  ["google", "google/gemini-2.5-flash"],
]);

function pickDefault(wanted: string, known: AvailableModel[], find: (id: string) => AvailableModel | null): string {
  if (wanted !== "") {
    const model = find(wanted);
    if (model?.switched_on) return wanted;
    const why = model === null ? `no model “${wanted}” is known` : `the provider of “${wanted}” is not switched on`;
    const on = known.filter((each) => each.switched_on).map(({ id }) => id);
    throw new SettingsError(`The environment variable DEFAULT_MODEL cannot be used: ${why}. Switched on: ${on.join(", ")}.`);
  }
  for (const provider of DEFAULT_ORDER) {
    const on = known.filter((model) => model.provider === provider && model.switched_on);
    const picked = on.find((model) => model.id === PREFERRED.get(provider)) ?? on[0];
    if (picked) return picked.id;
  }
  return OFFLINE_MODEL_ID;
}

const DEFAULT_INPUT = 1000;
const DEFAULT_OUTPUT = 2000;
const amount = z.number().positive().max(1_000_000_000);
const price = z
  .strictObject({
    ...{ input: amount.optional(), output: amount.optional(), cached_input: amount.optional(), unit: amount.optional() },
    sizes: z.record(z.templateLiteral([z.int().positive(), "x", z.int().positive()]), amount).optional(),
  })
  .refine(({ input, output, unit }) => (input === undefined) === (output === undefined) && (input ?? unit) !== undefined, {
    error: "needs input and output, or unit",
  });
const pricesSchema = z.record(z.string(), price);
/** What models that make something cost where nothing is said: some four cents an image, fifteen dollars a million characters, ten cents a second. */
const DEFAULT_UNIT = { image: 40, speech: 0.015, video: 100 } as const;

/**
 * `OPENAI_COMPATIBLE_PRICES`: `{"name": {"input": 1000, "output": 2000, "cached_input": 250}}`, credits a million tokens, by the
 * model's name without `compatible/`; `{"name": {"unit": 40}}`, credits a unit, of one that makes images, speech or video;
 * `{"name": {"unit": 40, "sizes": {"1024x1024": 40, "2048x2048": 160}}}`, credits an image, of one that takes these sizes and no others. Throws one sentence that names the variable when it cannot be used.
 */
export function parseCompatiblePrices(text: string): (name: string) => ModelPrice {
  const prices = new Map(Object.entries(readPrices(text)));
  return (name) => {
    const { input = DEFAULT_INPUT, output = DEFAULT_OUTPUT, cached_input } = prices.get(name) ?? {};
    return { input, output, cached_input: Math.min(input, cached_input ?? input / 4) };
  };
}

function readPrices(text: string): z.infer<typeof pricesSchema> {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SettingsError("The environment variable OPENAI_COMPATIBLE_PRICES cannot be used: it is not JSON.");
  }
  const parsed = pricesSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingsError(`The environment variable OPENAI_COMPATIBLE_PRICES cannot be used: ${issue?.path.join(".")}: ${issue?.message}`);
}
