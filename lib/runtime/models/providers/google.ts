import "server-only";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { z } from "zod";
import type { ModelThinking, ReasoningEffort } from "@/lib/model/models/model-facts";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";
import { chatsByName, getJson, toCount } from "@/lib/runtime/models/providers/model-list";
import { defineProvider } from "@/lib/runtime/models/providers/provider-adapter";
import { readGoogleCode } from "@/lib/runtime/models/providers/ran-code";
import {
  callsTools,
  withForm,
  withoutBarredTools,
} from "@/lib/runtime/models/providers/response-format";

const listSchema = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        displayName: z.string().nullish(),
        inputTokenLimit: z.number().nullish(),
        outputTokenLimit: z.number().nullish(),
        supportedGenerationMethods: z.array(z.string()).nullish(),
      }),
    )
    .default([]),
  nextPageToken: z.string().nullish(),
});

const grounding = z.object({
  google: z.object({ groundingMetadata: z.object({ webSearchQueries: z.array(z.unknown()) }) }),
});

const addressOf = (given: string) =>
  withoutTrailingSlashes(given || "https://generativelanguage.googleapis.com/v1beta");

/** Google's Gemini, by `v1beta` of its Generative Language API. */
export const google = defineProvider({
  id: "google",
  setUp: ["GOOGLE_GENERATIVE_AI_API_KEY"],
  variables: { GOOGLE_GENERATIVE_AI_API_KEY: "", GOOGLE_BASE_URL: "", GOOGLE_MODELS: "" },
  isOn: ({ GOOGLE_GENERATIVE_AI_API_KEY }) => GOOGLE_GENERATIVE_AI_API_KEY !== "",
  create: (name, { GOOGLE_GENERATIVE_AI_API_KEY, GOOGLE_BASE_URL }) =>
    createGoogleGenerativeAI({
      apiKey: GOOGLE_GENERATIVE_AI_API_KEY,
      baseURL: addressOf(GOOGLE_BASE_URL),
    })(name),
  wordCall: (options, asked) => ({
    ...(takesFormBesideTools(asked.model)
      ? withForm(options, asked, true)
      : withForm(withoutBarredTools(options, asked), asked, !callsTools(options))),
    ...(asked.thinking && { providerOptions: thinkingOf(asked.thinking, asked.effort) }),
  }),
  vendor: {
    namedBy: "GOOGLE_MODELS",
    async list(page, { GOOGLE_GENERATIVE_AI_API_KEY, GOOGLE_BASE_URL }, signal) {
      const query = `?pageSize=1000${page === "" ? "" : `&pageToken=${encodeURIComponent(page)}`}`;
      const url = `${addressOf(GOOGLE_BASE_URL)}/models${query}`;
      const headers = { "x-goog-api-key": GOOGLE_GENERATIVE_AI_API_KEY };
      const body = listSchema.parse(await getJson(url, headers, signal));
      const models = body.models.map((row) => {
        const name = row.name.startsWith("models/") ? row.name.slice("models/".length) : row.name;
        const answers = row.supportedGenerationMethods?.includes("generateContent") ?? true;
        return {
          name,
          label: row.displayName ?? null,
          retires: null,
          created: null,
          chats: answers && chatsByName(name),
          context_tokens: toCount(row.inputTokenLimit),
          output_max_tokens: toCount(row.outputTokenLimit),
        };
      });
      return { models, next: body.nextPageToken ?? null };
    },
  },
  code: {
    tool: { type: "provider", id: "google.code_execution", name: "code_execution", args: {} },
    read: readGoogleCode,
  },
  keepsTools: true,
  takesPdf: true,
  search: {
    tool: () => ({
      type: "provider",
      id: "google.google_search",
      name: "google_search",
      args: {},
    }),
    countIn: (part) => {
      const said = part.type === "finish" ? grounding.safeParse(part.providerMetadata) : null;
      return said?.success ? said.data.google.groundingMetadata.webSearchQueries.length : 0;
    },
  },
  overflow: /input token count/i,
});

/**
 * Gemini 3 and later take a form for the answer beside tools; those before refuse such a call. As
 * the AI SDK has it (@ai-sdk/google 4.0.121, `structuredOutput.withFunctionTools`, read
 * 2026-11-26), names that say no generation are of the newest.
 */
function takesFormBesideTools(model: string): boolean {
  return /^gemini-(?![12](?:[.-]|$)|pro$|pro-vision$|robotics-er-1\.)/.test(model);
}

function thinkingOf(
  { kind, words }: ModelThinking,
  effort: ReasoningEffort | null,
): SharedV4ProviderOptions {
  const word = effort === null ? undefined : words[effort];
  if (word === undefined) return { google: { thinkingConfig: { includeThoughts: true } } };
  const amount = kind === "budget" ? { thinkingBudget: Number(word) } : { thinkingLevel: word };
  return { google: { thinkingConfig: { ...amount, includeThoughts: effort !== "off" } } };
}
