import "server-only";
import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { z } from "zod";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";
import { getJson, toCount, toSeconds } from "@/lib/runtime/models/providers/model-list";
import { type AskedOfCall, defineProvider } from "@/lib/runtime/models/providers/provider-adapter";
import { readAnthropicCode } from "@/lib/runtime/models/providers/ran-code";
import { callsTools, withForm } from "@/lib/runtime/models/providers/response-format";

const listSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      display_name: z.string().nullish(),
      created_at: z.string().nullish(),
      max_input_tokens: z.number().nullish(),
      max_tokens: z.number().nullish(),
    }),
  ),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});

const hourUsage = z.object({
  cache_creation: z
    .object({ ephemeral_1h_input_tokens: z.number() })
    .transform(({ ephemeral_1h_input_tokens: tokens }) => tokens),
});

const addressOf = (given: string) =>
  withoutTrailingSlashes(given || "https://api.anthropic.com/v1");

/** Anthropic, by its Messages API. */
export const anthropic = defineProvider({
  id: "anthropic",
  setUp: ["ANTHROPIC_API_KEY"],
  variables: { ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "", ANTHROPIC_MODELS: "" },
  isOn: ({ ANTHROPIC_API_KEY }) => ANTHROPIC_API_KEY !== "",
  create: (name, { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL }) =>
    createAnthropic({ apiKey: ANTHROPIC_API_KEY, baseURL: addressOf(ANTHROPIC_BASE_URL) })(name),
  wordCall,
  vendor: {
    namedBy: "ANTHROPIC_MODELS",
    async list(page, { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL }, signal) {
      const query = `?limit=1000${page === "" ? "" : `&after_id=${encodeURIComponent(page)}`}`;
      const url = `${addressOf(ANTHROPIC_BASE_URL)}/models${query}`;
      const headers = { "x-api-key": ANTHROPIC_API_KEY, "anthropic-version": "2023-06-01" };
      const body = listSchema.parse(await getJson(url, headers, signal));
      const models = body.data.map((row) => ({
        name: row.id,
        label: row.display_name ?? null,
        chats: true,
        retires: null,
        context_tokens: toCount(row.max_input_tokens),
        output_max_tokens: toCount(row.max_tokens),
        created: toSeconds(row.created_at ?? null),
      }));
      return { models, next: body.has_more === true ? (body.last_id ?? null) : null };
    },
  },
  search: {
    // It gives extracts and opens no page.
    tool: (searches) => ({
      type: "provider",
      id: "anthropic.web_search_20250305",
      name: "web_search",
      args: { maxUses: searches },
    }),
    // One that failed is not billed.
    countIn: (part) => (part.type === "tool-result" && part.isError !== true ? 1 : 0),
  },
  code: {
    tool: {
      type: "provider",
      id: "anthropic.code_execution_20250825",
      name: "code_execution",
      args: {},
    },
    read: readAnthropicCode,
  },
  keepsTools: true,
  takesPdf: true,
  cachedForHour: (usage) => hourUsage.safeParse(usage).data?.cache_creation ?? 0,
  overflow: /prompt is too long/i,
});

/**
 * Marks what the cache holds: the tools and the system prompt, and all that was said up to each of
 * the last messages.
 */
function wordCall(
  options: LanguageModelV4CallOptions,
  asked: AskedOfCall,
): LanguageModelV4CallOptions {
  const thinking = thinkingOf(asked, options.maxOutputTokens ?? 0);
  const formed = withAnswer(options, asked, !thinking.thinks);
  const marked = new Set(lastAskedOf(options.prompt));
  const prompt = options.prompt.map((message, index) => {
    if (message.role !== "system" && !marked.has(index)) return message;
    // Before what stays shorter, as it must be: the next run begins with it, not with what follows.
    const ttl = message.role === "system" && asked.cache === "1h" ? { ttl: "1h" } : {};
    const anthropic = { cacheControl: { type: "ephemeral", ...ttl } };
    return { ...message, providerOptions: { ...message.providerOptions, anthropic } };
  });
  // Never by a tool that it would have to call: that takes the place of the agent's own.
  const mode = formed.responseFormat ? { structuredOutputMode: "outputFormat" as const } : {};
  const { words, ...more } = thinking;
  const { temperature, toolChoice, ...rest } = formed;
  // One that thinks has no temperature, and is not made to call a tool.
  const isForced = toolChoice?.type === "required" || toolChoice?.type === "tool";
  const bound = more.thinks
    ? { ...(toolChoice && { toolChoice: isForced ? { type: "auto" as const } : toolChoice }) }
    : { ...(temperature !== undefined && { temperature }), ...(toolChoice && { toolChoice }) };
  const said = { ...mode, ...words };
  return {
    ...rest,
    ...bound,
    prompt,
    ...(more.maxOutputTokens !== undefined && { maxOutputTokens: more.maxOutputTokens }),
    ...(Object.keys(said).length > 0 && { providerOptions: { anthropic: said } }),
  };
}

/** Beside the system prompt's: it takes four in all. */
const BREAKPOINTS_MAX = 3;

/**
 * Where the last messages to the model end, of which one may be several in a row here. It looks for
 * what its cache holds some twenty blocks back from a mark, and one turn may have more calls.
 */
function lastAskedOf(prompt: LanguageModelV4CallOptions["prompt"]): number[] {
  const isAsked = (index: number) =>
    prompt[index]?.role === "user" || prompt[index]?.role === "tool";
  const ends = prompt.flatMap((_, index) => (isAsked(index) && !isAsked(index + 1) ? [index] : []));
  return ends.slice(-BREAKPOINTS_MAX);
}

/**
 * In a turn that may call nothing the tools stay named, so the one that answers can be asked for
 * alone.
 */
function withAnswer(
  options: LanguageModelV4CallOptions,
  asked: AskedOfCall,
  mayForce: boolean,
): LanguageModelV4CallOptions {
  const { form, plainly } = asked;
  if (form === null) return options;
  const takesForm = isClosed(form.schema);
  const isBarred = !callsTools(options) && (options.tools ?? []).length > 0;
  if (!isBarred || (takesForm && !plainly)) return withForm(options, asked, takesForm);
  if (!mayForce || !asked.forcesTools) return options;
  return {
    ...options,
    tools: [...(options.tools ?? []), form.tool],
    toolChoice: { type: "tool", toolName: form.tool.name },
  };
}

/** The least budget that Anthropic takes. */
const BUDGET_MIN_TOKENS = 1_024;

interface Thinking {
  words: Record<string, string | { type: string; budgetTokens?: number }>;
  thinks: boolean;
  /**
   * Where thoughts have a budget of their own, which is part of the longest answer, not beside it.
   */
  maxOutputTokens?: number;
}

function thinkingOf(
  { thinking, effort }: Pick<AskedOfCall, "thinking" | "effort">,
  mostTokens: number,
): Thinking {
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
