import "server-only";
import { z } from "zod";
import type { SearchProviderName } from "@/lib/env";
import { hostsIn } from "@/lib/model/agent-config/web-hosts";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { egressFetch } from "@/lib/platform/egress/egress-fetch";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import { EgressFailed, EgressRefused } from "@/lib/platform/egress/target";
import { newId } from "@/lib/platform/ids";
import type { BuiltIn } from "@/lib/runtime/tools/built-in";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import {
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";
import type { Found, ModelSearch, SearchProvider } from "@/lib/runtime/tools/web-ports";

const TIMEOUT_MS = 20_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
const RESULTS_MAX = 10;
const SNIPPET_MAX_CHARACTERS = 400;
const SUMMARY_MAX_CHARACTERS = 8_000;
const TITLE_MAX_CHARACTERS = 200;

const RECENCIES = ["day", "week", "month", "year"] as const;
type Recency = (typeof RECENCIES)[number];
const DOMAINS_MAX = 10;
/** What every provider takes of a query. */
const QUERY_MAX_CHARACTERS = 400;

const argsSchema = z.strictObject({
  query: z.string().min(1).max(QUERY_MAX_CHARACTERS),
  recency: z
    .enum(RECENCIES)
    .meta({ description: "Nothing older, as far as dates are known." })
    .optional(),
  domains: z
    .array(z.string().max(253))
    .min(1)
    .max(DOMAINS_MAX)
    .meta({ description: "Only these hosts and those below them." })
    .optional(),
  count: z
    .int()
    .min(1)
    .max(RESULTS_MAX)
    .meta({ description: "At most so many." })
    .default(RESULTS_MAX),
});

/** What is no host could be another order to the provider: `site:x OR y`. */
const DOMAIN = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/;

type Search = z.output<typeof argsSchema>;

/** How a provider is asked, and what it answers, by its public reference. */
interface Dialect {
  url: string;
  toRequest(
    url: URL,
    search: Search,
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

/**
 * The query with the hosts that it is limited to, for who has no field for them. Of hosts that make
 * it too long the last are left out here; what comes of others is left out of the results.
 */
function siteQuery({ query, domains = [] }: Search): string {
  for (let taken = domains.length; taken > 0; taken -= 1) {
    const sites = domains.slice(0, taken).map((domain) => `site:${domain}`);
    const limited = `${query} ${sites.length > 1 ? `(${sites.join(" OR ")})` : sites.join("")}`;
    if (limited.length <= QUERY_MAX_CHARACTERS) return limited;
  }
  return query;
}

const BRAVE_FRESHNESS: Record<Recency, string> = { day: "pd", week: "pw", month: "pm", year: "py" };
const SERPER_TIME: Record<Recency, string> = {
  day: "qdr:d",
  week: "qdr:w",
  month: "qdr:m",
  year: "qdr:y",
};
const RECENCY_DAYS: Record<Recency, number> = { day: 1, week: 7, month: 31, year: 366 };

/** The moment before which nothing counts, as RFC 3339. */
function since(recency: Recency): string {
  return new Date(Date.now() - RECENCY_DAYS[recency] * 24 * 3_600_000).toISOString();
}

const DIALECTS: Record<SearchProviderName, Dialect> = {
  searxng: {
    url: "",
    toRequest: (url, search) => ({
      url: withQuery(url, {
        q: siteQuery(search),
        format: "json",
        // Of the four its reference leaves the week out: some engines behind it know none.
        ...(search.recency && { time_range: search.recency === "week" ? "month" : search.recency }),
      }),
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
    toRequest: (url, search, key) => ({
      url: withQuery(url, {
        q: siteQuery(search),
        count: String(search.count),
        ...(search.recency && { freshness: BRAVE_FRESHNESS[search.recency] }),
      }),
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
    toRequest: (url, { query, count, recency, domains }, key) =>
      json(
        url,
        { authorization: `Bearer ${key}` },
        {
          query,
          max_results: count,
          ...(recency && { time_range: recency }),
          ...(domains && { include_domains: domains }),
        },
      ),
    answer: z
      .object({ results: z.array(z.object({ title: text, url: text, content: text })) })
      .transform(({ results }) =>
        results.map(({ content, ...found }) => ({ ...found, snippet: content })),
      ),
  },
  exa: {
    url: "https://api.exa.ai/search",
    toRequest: (url, { query, count, recency, domains }, key) =>
      json(
        url,
        { "x-api-key": key },
        {
          query,
          numResults: count,
          contents: { text: { maxCharacters: SNIPPET_MAX_CHARACTERS } },
          ...(recency && { startPublishedDate: since(recency) }),
          ...(domains && { includeDomains: domains }),
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
    toRequest: (url, search, key) =>
      json(
        url,
        { "x-api-key": key },
        {
          q: siteQuery(search),
          num: search.count,
          ...(search.recency && { tbs: SERPER_TIME[search.recency] }),
        },
      ),
    answer: z
      .object({ organic: z.array(z.object({ title: text, link: text, snippet: text })).catch([]) })
      .transform(({ organic }) => organic.map(({ link, ...found }) => ({ ...found, url: link }))),
  },
};

const UNKNOWN_HOST =
  "The query names a host that was named neither by whoever asked, nor by the agent's owner, " +
  "nor by a search result, and the conversation has seen what is private. The model's " +
  "provider may open a page there, with what stands in the query.";

/**
 * Searches the web through the operator's provider, or where there is none through the one of the
 * run's model, and shows what it found as a card.
 */
export function createWebSearchTool(
  by: { provider: SearchProvider } | { model: ModelSearch },
  reach: EgressOptions,
): RuntimeTool {
  const rule = "model" in by ? by.model.rule : null;
  const tool = defineTool({
    name: NAME,
    description:
      "Search the web: titles, addresses and short extracts. Read a page itself with " +
      "web_fetch before you rely on it.",
    kind: "read",
    isOpen: true,
    args: argsSchema,
    async execute(wanted, context) {
      const wrong = wanted.domains?.find((domain) => !DOMAIN.test(domain));
      if (wrong !== undefined)
        throw new ToolFailure(`${JSON.stringify(wrong)} is no host: write example.com.`);
      if ("model" in by) return searchByModel(wanted, by.model, context);
      return search(wanted, by.provider, reach, context);
    },
  });
  return rule === null ? tool : { ...tool, reasonToAsk: hostRule(rule) };
}

const NAME = "web_search";

export const WEB_SEARCH: BuiltIn = {
  facts: {
    name: NAME,
    offered: "config",
    writes: "nothing",
    reaches: true,
    keepsName: true,
    guide: "only where it is switched on",
  },
  // The provider's address is the operator's, who may point it at a host of their own network.
  make({ search: provider, modelSearch: model, reach }) {
    if (provider) return createWebSearchTool({ provider }, reach);
    return model && createWebSearchTool({ model }, reach);
  },
};

/** A query is text for a model that may open pages, so it is held to the hosts of `web_fetch`. */
function hostRule(rule: NonNullable<ModelSearch["rule"]>): NonNullable<RuntimeTool["reasonToAsk"]> {
  return async (args) => {
    const parsed = argsSchema.safeParse(args);
    const hosts = parsed.success ? [...hostsIn(inWords(parsed.data))] : [];
    if (hosts.length === 0) return null;
    const isNamed = await rule();
    return hosts.every((host) => isNamed(new URL(`https://${host}`))) ? null : UNKNOWN_HOST;
  };
}

/** A search as one that reads words is told of it. */
function inWords({ query, recency, domains }: Search): string {
  const bounds = [
    ...(domains ? [`only pages of ${domains.join(", ")}`] : []),
    ...(recency ? [`no older than a ${recency}`] : []),
  ];
  return bounds.length === 0 ? query : `${query} (${bounds.join("; ")})`;
}

async function searchByModel(
  wanted: Search,
  model: ModelSearch,
  context: ToolContext,
): Promise<ToolOutcome> {
  return withCard(wanted.query, context, async () => {
    const { summary, results } = await model.ask(inWords(wanted), context);
    const clean = toShown(results, wanted);
    return { results: clean, output: { summary: cut(summary, SUMMARY_MAX_CHARACTERS) } };
  });
}

async function search(
  wanted: Search,
  provider: SearchProvider,
  reach: EgressOptions,
  context: ToolContext,
): Promise<ToolOutcome> {
  return withCard(wanted.query, context, async () => {
    try {
      return { results: await ask(wanted, provider, reach, context.signal), output: {} };
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
  wanted: Search,
  { name, url, key }: SearchProvider,
  reach: EgressOptions,
  signal: AbortSignal,
): Promise<Found[]> {
  const dialect = DIALECTS[name];
  const address = new URL(url || dialect.url);
  const request = dialect.toRequest(address, wanted, key);
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
  return toShown(parsed.data, wanted);
}

/** Of what somebody found, what is shown. */
function toShown(
  found: readonly Found[],
  { domains, count }: Pick<Search, "domains" | "count">,
): Found[] {
  return found
    .filter((found) => /^https?:\/\//i.test(found.url) && found.url.length <= 2_048)
    .filter((found) => isWithin(found.url, domains))
    .slice(0, count)
    .map((found) => ({
      title: cut(found.title || found.url, TITLE_MAX_CHARACTERS),
      url: found.url.toWellFormed(),
      snippet: cut(found.snippet, SNIPPET_MAX_CHARACTERS),
    }));
}

/** Whether an address is of one of the hosts, or of one below them. */
function isWithin(url: string, domains: readonly string[] | undefined): boolean {
  if (!domains) return true;
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return domains.some((domain) => `.${host}`.endsWith(`.${domain.toLowerCase()}`));
}

/** What only the operator can correct, or time does. */
const REFUSALS: Record<number, string> = {
  401:
    "The search provider does not take this server's key, so nothing was searched. The " +
    "operator of the service must set SEARCH_API_KEY anew.",
  402:
    "The search provider wants to be paid, so nothing was searched. The operator of the " +
    "service must look at its plan there.",
  403:
    "The search provider does not take this server's key, so nothing was searched. The " +
    "operator of the service must set SEARCH_API_KEY anew.",
  429:
    "The search provider takes no more searches at the moment. Go on without, or try again " +
    "later in the run.",
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
