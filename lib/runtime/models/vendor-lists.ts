import "server-only";
import { z } from "zod";
import type { Env } from "@/lib/env";
import type { Vendor } from "@/lib/model/models/catalogue";
import { isModelName } from "@/lib/model/models/model-facts";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";

/** One model as its vendor's own list shows it. */
export interface ListedModel {
  /** Without the provider: `gpt-6.1-sol`. */
  name: string;
  label: string | null;
  context_tokens: number | null;
  output_max_tokens: number | null;
  /** RFC 3339 date; null where the list names no end. */
  retires: string | null;
  /** Epoch seconds; null where the list does not say. Newer is greater. */
  created: number | null;
  /** Whether it answers conversations: a list may name embeddings and voices too. */
  chats: boolean;
}

const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
const TIME_LIMIT_MS = 10_000;
const MODELS_MAX = 2_000;
const PAGES_MAX = 5;

/**
 * The models that a vendor lists for this deployment's key: `GET /models` of OpenAI and Anthropic,
 * `GET /models` of Google's `v1beta`. Within ten seconds in all and 4 MiB a page.
 * @throws when the vendor does not answer with a list
 */
export async function readVendorList(vendor: Vendor, env: Env): Promise<ListedModel[]> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const found: ListedModel[] = [];
  let page: string | null = "";
  for (let read = 0; page !== null && read < PAGES_MAX && found.length < MODELS_MAX; read += 1) {
    const answer: { models: ListedModel[]; next: string | null } = await READERS[vendor](
      env,
      page,
      signal,
    );
    found.push(...answer.models.filter(({ name }) => isModelName(name)));
    page = answer.next;
  }
  return found.slice(0, MODELS_MAX);
}

const ADDRESSES = {
  openai: ["OPENAI_BASE_URL", "https://api.openai.com/v1"],
  anthropic: ["ANTHROPIC_BASE_URL", "https://api.anthropic.com/v1"],
  google: ["GOOGLE_BASE_URL", "https://generativelanguage.googleapis.com/v1beta"],
} as const;

/** Where a vendor's API stands for this deployment, without a slash at its end. */
export function vendorAddress(vendor: Vendor, env: Env): string {
  const [name, usual] = ADDRESSES[vendor];
  return withoutTrailingSlashes(env[name] || usual);
}

type Reader = (
  env: Env,
  page: string,
  signal: AbortSignal,
) => Promise<{ models: ListedModel[]; next: string | null }>;

const openaiList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      created: z.number().nullish(),
      shutdown_date: z.string().nullish(),
    }),
  ),
});
const anthropicList = z.object({
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
const googleList = z.object({
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

const READERS: Record<Vendor, Reader> = {
  async openai(env, _page, signal) {
    const base = vendorAddress("openai", env);
    const body = openaiList.parse(
      await getJson(`${base}/models`, { authorization: `Bearer ${env.OPENAI_API_KEY}` }, signal),
    );
    const models = body.data.map(({ id, created, shutdown_date }) => ({
      ...{
        name: id,
        label: null,
        context_tokens: null,
        output_max_tokens: null,
        chats: speaks(id),
      },
      retires: toDate(shutdown_date ?? null),
      created: created ?? null,
    }));
    return { models, next: null };
  },
  async anthropic(env, page, signal) {
    const base = vendorAddress("anthropic", env);
    const query = `?limit=1000${page === "" ? "" : `&after_id=${encodeURIComponent(page)}`}`;
    const headers = { "x-api-key": env.ANTHROPIC_API_KEY, "anthropic-version": "2023-06-01" };
    const body = anthropicList.parse(await getJson(`${base}/models${query}`, headers, signal));
    const models = body.data.map((row) => ({
      ...{ name: row.id, label: row.display_name ?? null, chats: true, retires: null },
      context_tokens: toCount(row.max_input_tokens),
      output_max_tokens: toCount(row.max_tokens),
      created: toSeconds(row.created_at ?? null),
    }));
    return { models, next: body.has_more === true ? (body.last_id ?? null) : null };
  },
  async google(env, page, signal) {
    const base = vendorAddress("google", env);
    const query = `?pageSize=1000${page === "" ? "" : `&pageToken=${encodeURIComponent(page)}`}`;
    const body = googleList.parse(
      await getJson(
        `${base}/models${query}`,
        { "x-goog-api-key": env.GOOGLE_GENERATIVE_AI_API_KEY },
        signal,
      ),
    );
    const models = body.models.map((row) => {
      const name = row.name.startsWith("models/") ? row.name.slice("models/".length) : row.name;
      const answers = row.supportedGenerationMethods?.includes("generateContent") ?? true;
      return {
        ...{
          name,
          label: row.displayName ?? null,
          retires: null,
          created: null,
          chats: answers && speaks(name),
        },
        context_tokens: toCount(row.inputTokenLimit),
        output_max_tokens: toCount(row.outputTokenLimit),
      };
    });
    return { models, next: body.nextPageToken ?? null };
  },
};

/** Words in the names of models that make something else than an answer in text. */
const OTHER_KINDS = [
  ...[
    "embedding",
    "tts",
    "whisper",
    "dall-e",
    "image",
    "audio",
    "realtime",
    "transcribe",
    "moderation",
    "sora",
    "live",
    "veo",
    "imagen",
  ],
  ...[
    "lyria",
    "robotics",
    "computer-use",
    "davinci",
    "babbage",
    "aqa",
    "search-api",
    "deep-research",
    "native-audio",
  ],
];

function speaks(name: string): boolean {
  return !OTHER_KINDS.some((word) => name.includes(word));
}

function toCount(value: number | null | undefined): number | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;
}

function toSeconds(text: string | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : Math.floor(at / 1000);
}

function toDate(text: string | null): string | null {
  return text !== null && z.iso.date().safeParse(text).success ? text : null;
}

/**
 * The operator's own addresses, so not the guarded way out; redirects are not followed, as the key
 * would go with them.
 */
async function getJson(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: "application/json", ...headers },
    signal,
    redirect: "error",
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`the list of models was answered with status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > ANSWER_MAX_BYTES) {
      await reader.cancel();
      throw new Error("the list of models is too long");
    }
    chunks.push(value);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
