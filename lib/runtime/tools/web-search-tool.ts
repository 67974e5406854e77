import "server-only";
import { z } from "zod";
import type { SearchProviderName } from "@/lib/env";
import { hostsIn } from "@/lib/model/agent-config/web-hosts";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { egressFetch } from "@/lib/platform/egress/egress-fetch";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import { EgressFailed, EgressRefused } from "@/lib/platform/egress/target";
import { newId } from "@/lib/platform/ids";
import {
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";

const TIMEOUT_MS = 20_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
const RESULTS_MAX = 10;
const SNIPPET_MAX_CHARACTERS = 400;
const SUMMARY_MAX_CHARACTERS = 8_000;
const TITLE_MAX_CHARACTERS = 200;

const argsSchema = z.object({ query: z.string() });

/** A search provider, as the operator sets it up. */
export interface SearchProvider {
  name: SearchProviderName;
  /** Where it is asked; empty: its own public address. */
  url: string;
  /** Empty for SearXNG, which needs none. */
  key: string;
}

export interface Found {
  title: string;
  url: string;
  snippet: string;
}

/** What a search by the run's own model came to. */
export interface ModelFound {
  /** What the model says of what it found. */
  summary: string;
  results: Found[];
}

/** The search that the provider of a run's model has on its own servers. */
export interface ModelSearch {
  /** @throws ToolFailure when nothing can be searched */
  ask(query: string, context: ToolContext): Promise<ModelFound>;
  /** Null: a query may name every host. */
  rule: (() => Promise<(url: URL) => boolean>) | null;
}

/** How a provider is asked, and what it answers, by its public reference. */
interface Dialect {
  url: string;
  toRequest(
    url: URL,
    query: string,
    key: string,
  ): { url: URL; method: "GET" | "POST"; headers: Record<string, string>; body?: string };
  answer: z.ZodType<Found[]>;
}

const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? "");
const json = (url: URL, headers: Record<string, string>, body: object) => ({
  url,
  method: "POST" as const,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

function withQuery(url: URL, query: Record<string, string>): URL {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  return target;
}

const DIALECTS: Record<SearchProviderName, Dialect> = {
  searxng: {
    url: "",
    toRequest: (url, q) => ({
      url: withQuery(url, { q, format: "json" }),
      method: "GET",
      headers: {},
    }),
    answer: z
      .object({ results: z.array(z.object({ title: text, url: text, content: text })).catch([]) })
      .transform(({ results }) =>
        results.map(({ content, ...found }) => ({ ...found, snippet: content })),
      ),
  },
  brave: {
    url: "https://api.search.brave.com/res/v1/web/search",
    toRequest: (url, q, key) => ({
      url: withQuery(url, { q, count: String(RESULTS_MAX) }),
      method: "GET",
      headers: { "x-subscription-token": key },
    }),
    // Without a hit `web` is missing.
    answer: z
      .object({
        web: z
          .object({ results: z.array(z.object({ title: text, url: text, description: text })) })
          .optional(),
      })
      .transform(({ web }) =>
        (web?.results ?? []).map(({ description, ...found }) => ({
          ...found,
          snippet: description,
        })),
      ),
  },
  tavily: {
    url: "https://api.tavily.com/search",
    toRequest: (url, query, key) =>
      json(url, { authorization: `Bearer ${key}` }, { query, max_results: RESULTS_MAX }),
    answer: z
      .object({ results: z.array(z.object({ title: text, url: text, content: text })) })
      .transform(({ results }) =>
        results.map(({ content, ...found }) => ({ ...found, snippet: content })),
      ),
  },
  exa: {
    url: "https://api.exa.ai/search",
    toRequest: (url, query, key) =>
      json(
        url,
        { "x-api-key": key },
        {
          query,
          numResults: RESULTS_MAX,
          contents: { text: { maxCharacters: SNIPPET_MAX_CHARACTERS } },
        },
      ),
    answer: z
      .object({ results: z.array(z.object({ title: text, url: text, text })) })
      .transform(({ results }) =>
        results.map(({ text: snippet, ...found }) => ({ ...found, snippet })),
      ),
  },
  serper: {
    url: "https://google.serper.dev/search",
    toRequest: (url, q, key) => json(url, { "x-api-key": key }, { q, num: RESULTS_MAX }),
    answer: z
      .object({ organic: z.array(z.object({ title: text, link: text, snippet: text })).catch([]) })
      .transform(({ organic }) => organic.map(({ link, ...found }) => ({ ...found, url: link }))),
  },
};

const UNKNOWN_HOST =
  "The query names a host that was named neither by whoever asked, nor by the agent's owner, nor by a search result, and the conversation has seen what is private. The model's provider may open a page there, with what stands in the query.";

/**
 * Searches the web through the operator's provider, or where there is none through the one of the
 * run's model, and shows what it found as a card. Without either it says so.
 */
export function createWebSearchTool(
  provider: SearchProvider | null,
  reach: EgressOptions,
  model: ModelSearch | null = null,
): RuntimeTool {
  return {
    name: "web_search",
    description:
      "Search the web. Gives titles, addresses and short extracts; read a page itself with web_fetch before you rely on it.",
    kind: "read",
    isOpen: true,
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", minLength: 1, maxLength: 400 } },
      required: ["query"],
      additionalProperties: false,
    },
    ...(provider === null && model?.rule && { reasonToAsk: hostRule(model.rule) }),
    async execute(args, context) {
      const { query } = argsSchema.parse(args);
      if (!provider && model) return searchByModel(query, model, context);
      if (!provider)
        throw new ToolFailure(
          "No search provider is set up on this server, so the web cannot be searched. Use web_fetch for an address that you know, and say in the answer that nothing was searched.",
        );
      return search(query, provider, reach, context);
    },
  };
}

/** A query is text for a model that may open pages, so it is held to the hosts of `web_fetch`. */
function hostRule(rule: NonNullable<ModelSearch["rule"]>): RuntimeTool["reasonToAsk"] {
  return async (args) => {
    const parsed = argsSchema.safeParse(args);
    const hosts = parsed.success ? [...hostsIn(parsed.data.query)] : [];
    if (hosts.length === 0) return null;
    const isNamed = await rule();
    return hosts.every((host) => isNamed(new URL(`https://${host}`))) ? null : UNKNOWN_HOST;
  };
}

async function searchByModel(
  query: string,
  model: ModelSearch,
  context: ToolContext,
): Promise<ToolOutcome> {
  return withCard(query, context, async () => {
    const { summary, results } = await model.ask(query, context);
    const clean = toShown(results);
    return { results: clean, output: { summary: cut(summary, SUMMARY_MAX_CHARACTERS) } };
  });
}

async function search(
  query: string,
  provider: SearchProvider,
  reach: EgressOptions,
  context: ToolContext,
): Promise<ToolOutcome> {
  return withCard(query, context, async () => {
    try {
      return { results: await ask(query, provider, reach, context.signal), output: {} };
    } catch (error) {
      throw error instanceof EgressRefused || error instanceof EgressFailed
        ? new ToolFailure(`The search did not work: ${error.message}`)
        : error;
    }
  });
}

/** Shows a search while it is made, and what it found. */
async function withCard(
  query: string,
  context: ToolContext,
  find: () => Promise<{ results: Found[]; output: JsonObject }>,
): Promise<ToolOutcome> {
  const card = { card_id: newId(), kind: "search", title: query } as const;
  context.emit({ type: "card.created", card: { ...card, status: "in_progress", items: [] } });
  const show = (items: { title: string; url: string }[]) =>
    context.emit({ type: "card.updated", card: { ...card, status: "done", items } });
  try {
    const { results, output } = await find();
    show(results.map(({ title, url }) => ({ title, url })));
    return {
      succeeded: true,
      output: { ...output, results: results.map((found) => ({ ...found })) },
    };
  } catch (error) {
    show([]);
    throw error;
  }
}

async function ask(
  query: string,
  { name, url, key }: SearchProvider,
  reach: EgressOptions,
  signal: AbortSignal,
): Promise<Found[]> {
  const dialect = DIALECTS[name];
  const address = new URL(url || dialect.url);
  const request = dialect.toRequest(address, query, key);
  const options = {
    ...reach,
    // The operator's own address may stand inside.
    allow: url === "" ? reach.allow : [...reach.allow, hostAndPort(address)],
    method: request.method,
    headers: { accept: "application/json", ...request.headers },
    ...(request.body !== undefined && { body: request.body }),
    signal,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: ANSWER_MAX_BYTES,
  };
  const answer = await egressFetch(request.url, options);
  const refused = REFUSALS[answer.status];
  if (refused) throw new ToolFailure(refused);
  const isWhole = answer.status === 200 && answer.ended === "complete";
  const parsed = isWhole ? dialect.answer.safeParse(readJson(answer.body)) : null;
  if (!parsed?.success)
    throw new ToolFailure(
      `The search provider answered ${answer.status} with nothing that can be read.`,
    );
  return toShown(parsed.data);
}

/** Of what somebody found, what is shown. */
function toShown(found: readonly Found[]): Found[] {
  return found
    .filter((found) => /^https?:\/\//i.test(found.url) && found.url.length <= 2_048)
    .slice(0, RESULTS_MAX)
    .map((found) => ({
      title: cut(found.title || found.url, TITLE_MAX_CHARACTERS),
      url: found.url.toWellFormed(),
      snippet: cut(found.snippet, SNIPPET_MAX_CHARACTERS),
    }));
}

/** What only the operator can correct, or time does. */
const REFUSALS: Record<number, string> = {
  401: "The search provider does not take this server's key, so nothing was searched. The operator of the service must set SEARCH_API_KEY anew.",
  402: "The search provider wants to be paid, so nothing was searched. The operator of the service must look at its plan there.",
  403: "The search provider does not take this server's key, so nothing was searched. The operator of the service must set SEARCH_API_KEY anew.",
  429: "The search provider takes no more searches at the moment. Go on without, or try again later in the run.",
};

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

function cut(words: string, characters: number): string {
  return words.slice(0, characters).replaceAll("\u0000", "").toWellFormed();
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
