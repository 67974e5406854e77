import "server-only";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV3, LanguageModelV3CallOptions, SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { Env } from "@/lib/env";
import type { ReasoningEffort } from "@/lib/model/agent-config/agent-config-schema";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { MODEL_CATALOGUE } from "@/lib/model/models/catalogue";
import { RunFailure } from "@/lib/model/run/run-failure";
import { createOfflineModel } from "@/lib/offline-model/offline-model";
import { availableModels } from "@/lib/runtime/models/available-models";
import { createCompatibleModel } from "@/lib/runtime/models/compatible/create-compatible-model";

/**
 * The model behind an id of the published list. Throws a `RunFailure` `EXECUTION_FAILED` when the id is unknown or its provider
 * is not switched on. Addresses are the operator's, so they may be on the local network.
 */
export function createLanguageModel(id: string, env: Env): LanguageModelV3 {
  const model = availableModels(env).find(id);
  if (model === null) throw new RunFailure("EXECUTION_FAILED", `The model ${id} is not known to this service.`);
  if (!model.switched_on) throw new RunFailure("EXECUTION_FAILED", `The model ${id} is known, but its provider is not switched on here.`);
  const name = id.slice(id.indexOf("/") + 1);
  switch (model.provider) {
    case "builtin":
      return createOfflineModel();
    case "compatible":
      return createCompatibleModel({ name, baseUrl: env.OPENAI_COMPATIBLE_BASE_URL, apiKey: env.OPENAI_COMPATIBLE_API_KEY });
    case "openai":
      return createOpenAI({ apiKey: env.OPENAI_API_KEY, baseURL: env.OPENAI_BASE_URL || "https://api.openai.com/v1" }).responses(name);
    case "anthropic":
      return createAnthropic({ apiKey: env.ANTHROPIC_API_KEY, baseURL: env.ANTHROPIC_BASE_URL || "https://api.anthropic.com/v1" })(name);
    case "google": {
      const baseURL = env.GOOGLE_BASE_URL || "https://generativelanguage.googleapis.com/v1beta";
      return createGoogleGenerativeAI({ apiKey: env.GOOGLE_GENERATIVE_AI_API_KEY, baseURL })(name);
    }
  }
}

/** What a call asks for that each vendor has its own words for. */
interface VendorSettings {
  reasoning?: ReasoningEffort | null;
  /** The schema that the answer must fit. */
  schema?: JsonObject | null;
}

/**
 * Says in a vendor's own words how much to think, where its cache of prompts may begin and end, and which form the answer has. What a vendor takes as an
 * option of its own and a server of another make may not know is left out by `plainly`.
 * @param id `provider/name`
 * @param plainly the vendor has refused the call with these words
 */
export function withVendorOptions(
  id: string,
  options: LanguageModelV3CallOptions,
  { reasoning = null, schema = null }: VendorSettings,
  plainly = false,
): LanguageModelV3CallOptions {
  const [vendor = "", name = ""] = id.split(/\/(.*)/s);
  const thinks = MODEL_CATALOGUE.find((model) => model.id === id)?.reasoning ?? false;
  const isFree = !options.tools || options.tools.length === 0;
  const form = schema !== null && !plainly ? { responseFormat: toResponseFormat(schema) } : {};
  switch (vendor) {
    case "openai":
      return { ...options, ...form, providerOptions: openai(name, thinks ? reasoning : null) };
    case "anthropic":
      return anthropic(options, thinks ? reasoning : null, schema !== null && !plainly && isClosed(schema) ? form : {});
    case "google":
      // With tools Gemini takes no form for the answer.
      return { ...options, ...(isFree && form), ...(thinks && { providerOptions: google(name, reasoning) }) };
    case "compatible":
      // Servers that hold a model to a form let it call no tools.
      return {
        ...options,
        ...(isFree && form),
        ...(reasoning !== null && !plainly && { providerOptions: { compatible: { reasoningEffort: WORDS[reasoning] } } }),
      };
    default:
      return options;
  }
}

/** Whether a call carries what a server may not know. */
export function hasVendorWords(id: string, { responseFormat, providerOptions }: LanguageModelV3CallOptions): boolean {
  return responseFormat !== undefined || (id.startsWith("compatible/") && providerOptions !== undefined);
}

const WORDS = { off: "none", low: "low", medium: "medium", high: "high" } as const;

function toResponseFormat(schema: JsonObject): LanguageModelV3CallOptions["responseFormat"] {
  // A JSON object that `checkSchema` has let through: the vendor's type is only narrower about its keys.
  return {
    type: "json",
    name: "answer",
    schema: schema as Extract<LanguageModelV3CallOptions["responseFormat"], { type: "json" }>["schema"],
  };
}

/** Nothing stays at the vendor between two turns, so that any process can go on: its thoughts come back to us sealed, and go out again. */
function openai(name: string, reasoning: ReasoningEffort | null): SharedV3ProviderOptions {
  const effort = reasoning === "off" ? (name.startsWith("gpt-5.") ? "none" : "minimal") : reasoning;
  return {
    openai: {
      store: false,
      strictJsonSchema: false,
      ...(effort !== null && { reasoningEffort: effort, ...(reasoning !== "off" && { reasoningSummary: "auto" }) }),
    },
  };
}

const BUDGETS = { low: 2_048, medium: 8_192, high: 16_384 } as const;
/** The least that Anthropic takes. */
const BUDGET_MIN_TOKENS = 1_024;

/** Marks what the cache holds: the tools and the system prompt, and all that was said up to here. Thinking is part of the longest answer, not beside it. */
function anthropic(
  options: LanguageModelV3CallOptions,
  reasoning: ReasoningEffort | null,
  form: Pick<LanguageModelV3CallOptions, "responseFormat">,
): LanguageModelV3CallOptions {
  const ephemeral = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const { prompt, maxOutputTokens, temperature, ...rest } = options;
  const last = prompt.length - 1;
  const marked = prompt.map((message, index) =>
    message.role === "system" || index === last ? { ...message, providerOptions: { ...message.providerOptions, ...ephemeral } } : message,
  );
  const budget = reasoning === null || reasoning === "off" ? 0 : Math.min(BUDGETS[reasoning], Math.floor((maxOutputTokens ?? 0) / 2));
  // A model that must call a tool may not think, and one that thinks has no temperature.
  const thinks = budget >= BUDGET_MIN_TOKENS && options.toolChoice?.type !== "required" && options.toolChoice?.type !== "tool";
  // Never by a tool that it would have to call: that takes the place of the agent's own.
  const mode = form.responseFormat ? { structuredOutputMode: "outputFormat" } : {};
  if (!thinks) return { ...options, ...form, prompt: marked, ...(form.responseFormat && { providerOptions: { anthropic: mode } }) };
  return {
    ...rest,
    ...form,
    prompt: marked,
    maxOutputTokens: (maxOutputTokens ?? 0) - budget,
    providerOptions: { anthropic: { ...mode, thinking: { type: "enabled", budgetTokens: budget } } },
  };
}

/** Whether each object of a schema names its properties: Anthropic's form lets it have no others. */
function isClosed(schema: JsonValue): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed);
  if (!isJsonObject(schema)) return true;
  const { type, properties, additionalProperties: others, patternProperties } = schema;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  if (isObject && (!isJsonObject(properties) || Object.keys(properties).length === 0)) return false;
  if (patternProperties !== undefined || others === true || isJsonObject(others)) return false;
  return Object.values(schema).every(isClosed);
}

const GOOGLE_BUDGETS = { low: 1_024, medium: 8_192, high: 24_576 } as const;
/** The least that a model takes which cannot leave it. */
const GOOGLE_PRO_MIN_TOKENS = 128;

function google(name: string, reasoning: ReasoningEffort | null): SharedV3ProviderOptions {
  if (reasoning === null) return { google: { thinkingConfig: { includeThoughts: true } } };
  const least = name.includes("pro") ? GOOGLE_PRO_MIN_TOKENS : 0;
  const thinkingBudget = reasoning === "off" ? least : GOOGLE_BUDGETS[reasoning];
  return { google: { thinkingConfig: { thinkingBudget, includeThoughts: reasoning !== "off" } } };
}
