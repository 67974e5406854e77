import "server-only";
import { createOpenAI } from "@ai-sdk/openai";
import { z } from "zod";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";
import { chatsByName, getJson, toDate } from "@/lib/runtime/models/providers/model-list";
import { defineProvider } from "@/lib/runtime/models/providers/provider-adapter";
import { readOpenAiCode } from "@/lib/runtime/models/providers/ran-code";
import { isStrict, withForm } from "@/lib/runtime/models/providers/response-format";

const listSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      created: z.number().nullish(),
      shutdown_date: z.string().nullish(),
    }),
  ),
});

const searchDone = z.object({
  action: z.object({ type: z.literal("search"), queries: z.array(z.unknown()).nullish() }),
});

const addressOf = (given: string) => withoutTrailingSlashes(given || "https://api.openai.com/v1");

/** OpenAI, by its Responses API. */
export const openai = defineProvider({
  id: "openai",
  setUp: ["OPENAI_API_KEY"],
  variables: { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", OPENAI_MODELS: "" },
  isOn: ({ OPENAI_API_KEY }) => OPENAI_API_KEY !== "",
  create: (name, { OPENAI_API_KEY, OPENAI_BASE_URL }) =>
    createOpenAI({ apiKey: OPENAI_API_KEY, baseURL: addressOf(OPENAI_BASE_URL) }).responses(name),
  /**
   * Nothing stays at the vendor between two turns, so that any process can go on: its thoughts come
   * back to us sealed, and go out again.
   */
  wordCall(options, asked) {
    const { thinking, effort, form } = asked;
    const word = effort === null ? undefined : thinking?.words[effort];
    const thought = word !== undefined && {
      reasoningEffort: word,
      ...(effort !== "off" && { reasoningSummary: "auto" }),
    };
    const strictJsonSchema = form !== null && isStrict(form.schema);
    return {
      ...withForm(options, asked, true),
      providerOptions: { openai: { store: false, strictJsonSchema, ...thought } },
    };
  },
  vendor: {
    namedBy: "OPENAI_MODELS",
    async list(_page, { OPENAI_API_KEY, OPENAI_BASE_URL }, signal) {
      const url = `${addressOf(OPENAI_BASE_URL)}/models`;
      const headers = { authorization: `Bearer ${OPENAI_API_KEY}` };
      const { data } = listSchema.parse(await getJson(url, headers, signal));
      const models = data.map(({ id, created, shutdown_date }) => ({
        name: id,
        label: null,
        context_tokens: null,
        output_max_tokens: null,
        chats: chatsByName(id),
        retires: toDate(shutdown_date ?? null),
        created: created ?? null,
      }));
      return { models, next: null };
    },
  },
  code: {
    tool: { type: "provider", id: "openai.code_interpreter", name: "code_interpreter", args: {} },
    read: readOpenAiCode,
  },
  keepsTools: true,
  takesPdf: true,
  search: {
    tool: (_searches, isClosed) => ({
      type: "provider",
      id: "openai.web_search",
      name: "web_search",
      args: isClosed ? { externalWebAccess: false } : {},
    }),
    // Pages that it opens are not billed, queries are: one call may hold several.
    countIn: (part) => {
      const done = part.type === "tool-result" ? searchDone.safeParse(part.result) : null;
      return done?.success ? Math.max(1, done.data.action.queries?.length ?? 1) : 0;
    },
  },
  overflow: /context[ _](?:length|window|size)/i,
});
