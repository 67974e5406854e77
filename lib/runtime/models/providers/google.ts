import "server-only";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import { z } from "zod";
import type { ModelThinking, ReasoningEffort } from "@/lib/model/models/model-facts";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";
import { chatsByName, getJson, toCount } from "@/lib/runtime/models/providers/model-list";
import { defineProvider } from "@/lib/runtime/models/providers/provider-adapter";
import { withFormOrTools } from "@/lib/runtime/models/providers/response-format";

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
    // With tools Gemini takes no form for the answer.
    ...withFormOrTools(options, asked),
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
  keepsTools: true,
  overflow: /input token count/i,
});

function thinkingOf(
  { kind, words }: ModelThinking,
  effort: ReasoningEffort | null,
): SharedV4ProviderOptions {
  const word = effort === null ? undefined : words[effort];
  if (word === undefined) return { google: { thinkingConfig: { includeThoughts: true } } };
  const amount = kind === "budget" ? { thinkingBudget: Number(word) } : { thinkingLevel: word };
  return { google: { thinkingConfig: { ...amount, includeThoughts: effort !== "off" } } };
}
