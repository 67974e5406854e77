import "server-only";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { Env } from "@/lib/env";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { MODEL_CATALOGUE, type ModelInfo } from "@/lib/model/models/catalogue";
import type { ModelThinking, ReasoningEffort } from "@/lib/model/models/model-facts";
import { type RulesOptions, rulesOptionsSchema } from "@/lib/model/models/rules-task";
import { RunFailure } from "@/lib/model/run/run-failure";
import { createOfflineModel, type OfflineAsk } from "@/lib/offline-model/offline-model";
import { availableModels } from "@/lib/runtime/models/available-models";
import { createCompatibleModel } from "@/lib/runtime/models/compatible/create-compatible-model";
import { vendorAddress } from "@/lib/runtime/models/vendor-lists";
import { inTextWorker, TextWorkEnded } from "@/lib/runtime/text-work/in-text-worker";

/**
 * The model behind an id of the published list. Throws a `RunFailure` `EXECUTION_FAILED` when the
 * id is unknown or its provider is not switched on. Addresses are the operator's, so they may be on
 * the local network.
 */
export function createLanguageModel(id: string, env: Env): LanguageModelV4 {
  const model = availableModels(env).find(id);
  if (model === null)
    throw new RunFailure("EXECUTION_FAILED", `The model ${id} is not known to this service.`);
  if (!model.switched_on)
    throw new RunFailure(
      "EXECUTION_FAILED",
      `The model ${id} is known, but its provider is not switched on here.`,
    );
  const name = model.id.slice(model.id.indexOf("/") + 1);
  switch (model.provider) {
    case "builtin":
      return createOfflineModel(inItsThread);
    case "compatible":
      return createCompatibleModel({
        name,
        baseUrl: env.OPENAI_COMPATIBLE_BASE_URL,
        apiKey: env.OPENAI_COMPATIBLE_API_KEY,
      });
    case "openai":
      return createOpenAI({
        apiKey: env.OPENAI_API_KEY,
        baseURL: vendorAddress("openai", env),
      }).responses(name);
    case "anthropic":
      return createAnthropic({
        apiKey: env.ANTHROPIC_API_KEY,
        baseURL: vendorAddress("anthropic", env),
      })(name);
    case "google":
      return createGoogleGenerativeAI({
        apiKey: env.GOOGLE_GENERATIVE_AI_API_KEY,
        baseURL: vendorAddress("google", env),
      })(name);
  }
}

/**
 * The rules read what strangers wrote: a text that they take too long over ends its run, and holds
 * up nobody.
 */
async function inItsThread(ask: OfflineAsk, signal: AbortSignal | undefined) {
  const account = rulesOptionsSchema.safeParse(ask.providerOptions?.lathe).data?.account ?? "";
  try {
    return await inTextWorker("offline-turn", withoutFiles(ask), { account, signal });
  } catch (error) {
    if (!(error instanceof TextWorkEnded)) throw error;
    throw new RunFailure("MODEL_CANNOT_ANSWER", `The built-in model gave up. ${error.message}`);
  }
}

/** It looks at no pictures: their bytes stay here. */
function withoutFiles(ask: OfflineAsk): OfflineAsk {
  const prompt = ask.prompt.map((message) =>
    message.role === "user"
      ? { ...message, content: message.content.filter((part) => part.type !== "file") }
      : message,
  );
  return { ...ask, prompt };
}

/** What a call asks for that each vendor has its own words for. */
interface VendorSettings {
  /** Null: as `defaultReasoning` says. */
  reasoning?: ReasoningEffort | null;
  /** For a model of which it is known that it thinks. Null: as its vendor has it. */
  defaultReasoning?: ReasoningEffort | null;
  /** The schema that the answer must fit. */
  schema?: JsonObject | null;
  rules?: RulesOptions | undefined;
}

/** What has to be known of a model to word a call of it. */
export type ModelAbilities = Pick<ModelInfo, "thinking" | "refuses">;

const NOTHING_KNOWN: ModelAbilities = { thinking: null, refuses: [] };

/**
 * Says in a vendor's own words how much to think, where its cache of prompts may begin and end, and
 * which form the answer has, and leaves out what the model is known to refuse. What a vendor takes
 * as an option of its own and a server of another make may not know is left out by `plainly`.
 * @param id `provider/name`
 * @param plainly the vendor has refused the call with these words
 */
export function withVendorOptions(
  id: string,
  asked: LanguageModelV4CallOptions,
  { reasoning = null, defaultReasoning = null, schema = null, rules }: VendorSettings,
  plainly = false,
  model: ModelAbilities = MODEL_CATALOGUE.find((each) => each.id === id) ?? NOTHING_KNOWN,
): LanguageModelV4CallOptions {
  const options = withoutRefused(asked, model);
  const isFree = !options.tools || options.tools.length === 0;
  const form = schema !== null && !plainly ? { responseFormat: toResponseFormat(schema) } : {};
  const effort = model.thinking === null ? null : (reasoning ?? defaultReasoning);
  switch (id.slice(0, Math.max(0, id.indexOf("/")))) {
    case "openai":
      return { ...options, ...form, providerOptions: openai(model.thinking, effort) };
    case "anthropic":
      return anthropic(
        options,
        model.thinking,
        effort,
        schema !== null && !plainly && isClosed(schema) ? form : {},
      );
    case "google":
      // With tools Gemini takes no form for the answer.
      return {
        ...options,
        ...(isFree && form),
        ...(model.thinking && { providerOptions: google(model.thinking, effort) }),
      };
    case "compatible":
      // Servers that hold a model to a form let it call no tools.
      return {
        ...options,
        ...(isFree && form),
        ...(reasoning !== null &&
          !plainly && { providerOptions: { compatible: { reasoningEffort: WORDS[reasoning] } } }),
      };
    case "builtin":
      return { ...options, ...(rules && { providerOptions: { lathe: rules } }) };
    default:
      return options;
  }
}

/**
 * What a model is known to answer with an error is not asked of it: a temperature is its own, and a
 * call of a tool is asked for in words alone.
 */
function withoutRefused(
  options: LanguageModelV4CallOptions,
  { refuses }: ModelAbilities,
): LanguageModelV4CallOptions {
  const { temperature, toolChoice, ...rest } = options;
  const isForced = toolChoice?.type === "required" || toolChoice?.type === "tool";
  return {
    ...rest,
    ...(temperature !== undefined && !refuses.includes("temperature") && { temperature }),
    ...(toolChoice !== undefined && {
      toolChoice:
        isForced && refuses.includes("forced_tool") ? { type: "auto" as const } : toolChoice,
    }),
  };
}

/** Whether a call carries what a server may not know. */
export function hasVendorWords(
  id: string,
  { responseFormat, providerOptions }: LanguageModelV4CallOptions,
): boolean {
  return (
    responseFormat !== undefined || (id.startsWith("compatible/") && providerOptions !== undefined)
  );
}

/** What servers that speak OpenAI's protocol know. */
const WORDS = {
  off: "none",
  low: "low",
  medium: "medium",
  high: "high",
  max: "high",
} as const satisfies Record<ReasoningEffort, string>;

function toResponseFormat(schema: JsonObject): LanguageModelV4CallOptions["responseFormat"] {
  // A JSON object that `checkSchema` has let through: the vendor's type is only narrower about its
  // keys.
  return {
    type: "json",
    name: "answer",
    schema: schema as Extract<
      LanguageModelV4CallOptions["responseFormat"],
      { type: "json" }
    >["schema"],
  };
}

/**
 * Nothing stays at the vendor between two turns, so that any process can go on: its thoughts come
 * back to us sealed, and go out again.
 */
function openai(
  thinking: ModelThinking | null,
  effort: ReasoningEffort | null,
): SharedV4ProviderOptions {
  const word = effort === null ? undefined : thinking?.words[effort];
  return {
    openai: {
      store: false,
      strictJsonSchema: false,
      ...(word !== undefined && {
        reasoningEffort: word,
        ...(effort !== "off" && { reasoningSummary: "auto" }),
      }),
    },
  };
}

/** The least budget that Anthropic takes. */
const BUDGET_MIN_TOKENS = 1_024;

/**
 * Marks what the cache holds: the tools and the system prompt, and all that was said up to here.
 */
function anthropic(
  options: LanguageModelV4CallOptions,
  thinking: ModelThinking | null,
  effort: ReasoningEffort | null,
  form: Pick<LanguageModelV4CallOptions, "responseFormat">,
): LanguageModelV4CallOptions {
  const ephemeral = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const last = options.prompt.length - 1;
  const prompt = options.prompt.map((message, index) =>
    message.role === "system" || index === last
      ? { ...message, providerOptions: { ...message.providerOptions, ...ephemeral } }
      : message,
  );
  // Never by a tool that it would have to call: that takes the place of the agent's own.
  const mode = form.responseFormat ? { structuredOutputMode: "outputFormat" as const } : {};
  const { words, ...more } = anthropicThinking(thinking, effort, options.maxOutputTokens ?? 0);
  const { temperature, toolChoice, ...rest } = options;
  // One that thinks has no temperature, and is not made to call a tool.
  const isForced = toolChoice?.type === "required" || toolChoice?.type === "tool";
  const bound = more.thinks
    ? { ...(toolChoice && { toolChoice: isForced ? { type: "auto" as const } : toolChoice }) }
    : { ...(temperature !== undefined && { temperature }), ...(toolChoice && { toolChoice }) };
  const said = { ...mode, ...words };
  return {
    ...rest,
    ...bound,
    ...form,
    prompt,
    ...(more.maxOutputTokens !== undefined && { maxOutputTokens: more.maxOutputTokens }),
    ...(Object.keys(said).length > 0 && { providerOptions: { anthropic: said } }),
  };
}

interface AnthropicThinking {
  words: Record<string, string | { type: string; budgetTokens?: number }>;
  thinks: boolean;
  /**
   * Where thoughts have a budget of their own, which is part of the longest answer, not beside it.
   */
  maxOutputTokens?: number;
}

function anthropicThinking(
  thinking: ModelThinking | null,
  effort: ReasoningEffort | null,
  mostTokens: number,
): AnthropicThinking {
  if (thinking === null || effort === null) return { words: {}, thinks: false };
  if (effort === "off" && thinking.can_disable)
    return thinking.kind === "adaptive"
      ? { words: { thinking: { type: "disabled" } }, thinks: false }
      : { words: {}, thinks: false };
  const word = thinking.words[effort];
  if (word === undefined) return { words: {}, thinks: false };
  if (thinking.kind === "adaptive")
    return { words: { thinking: { type: "adaptive" }, effort: word }, thinks: true };
  const budget = Math.min(Number(word), Math.floor(mostTokens / 2));
  if (budget < BUDGET_MIN_TOKENS) return { words: {}, thinks: false };
  return {
    words: { thinking: { type: "enabled", budgetTokens: budget } },
    thinks: true,
    maxOutputTokens: mostTokens - budget,
  };
}

/**
 * Whether each object of a schema names its properties: Anthropic's form lets it have no others.
 */
function isClosed(schema: JsonValue): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed);
  if (!isJsonObject(schema)) return true;
  const { type, properties, additionalProperties: others, patternProperties } = schema;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  if (isObject && (!isJsonObject(properties) || Object.keys(properties).length === 0)) return false;
  if (patternProperties !== undefined || others === true || isJsonObject(others)) return false;
  return Object.values(schema).every(isClosed);
}

function google(thinking: ModelThinking, effort: ReasoningEffort | null): SharedV4ProviderOptions {
  const word = effort === null ? undefined : thinking.words[effort];
  if (word === undefined) return { google: { thinkingConfig: { includeThoughts: true } } };
  const amount =
    thinking.kind === "budget" ? { thinkingBudget: Number(word) } : { thinkingLevel: word };
  return { google: { thinkingConfig: { ...amount, includeThoughts: effort !== "off" } } };
}
