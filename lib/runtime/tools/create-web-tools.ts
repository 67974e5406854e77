import "server-only";
import { z } from "zod";
import { EgressFailed } from "@/lib/platform/egress/egress-failed";
import { egressFetch } from "@/lib/platform/egress/egress-fetch";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import { EgressRefused } from "@/lib/platform/egress/target";
import { newId } from "@/lib/platform/ids";
import { type RuntimeTool, type ToolContext, ToolFailure, type ToolOutcome } from "./tool";
import { createWebFetchTool, type FetchRule } from "./web-fetch-tool";

export interface WebReach {
  reach: EgressOptions;
  searchUrl: string;
  /** Null: every public host may be fetched from without asking. */
  fetchRule: FetchRule | null;
}

/** The built-in tools that reach out to the web. `searchUrl` is the operator's, who may point it at a host of their own network. */
export function createWebTools({ reach, searchUrl, fetchRule }: WebReach): RuntimeTool[] {
  const provider = searchUrl === "" ? null : { url: searchUrl, reach: { ...reach, allow: [...reach.allow, hostAndPort(searchUrl)] } };
  return [createWebFetchTool(reach, fetchRule), createWebSearchTool(provider)];
}

function hostAndPort(text: string): string {
  const url = new URL(text);
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

const TIMEOUT_MS = 20_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
const RESULTS_MAX = 10;
const SNIPPET_MAX_CHARACTERS = 400;
const TITLE_MAX_CHARACTERS = 200;

const argsSchema = z.object({ query: z.string() });
const answerSchema = z.object({
  results: z
    .array(z.object({ title: z.string().catch(""), url: z.string().catch(""), content: z.string().nullable().catch(null) }))
    .catch([]),
});

/** A search provider with SearXNG's JSON interface; null when the operator has set none. */
interface SearchProvider {
  /** The address that takes `q` and `format=json`. */
  url: string;
  reach: EgressOptions;
}

/** Searches the web through the operator's provider and shows what it found as a card. Without a provider it says so. */
function createWebSearchTool(provider: SearchProvider | null): RuntimeTool {
  return {
    name: "web_search",
    description: "Search the web. Gives titles, addresses and short extracts; read a page itself with web_fetch before you rely on it.",
    kind: "read",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", minLength: 1, maxLength: 400 } },
      required: ["query"],
      additionalProperties: false,
    },
    async execute(args, context) {
      if (!provider)
        throw new ToolFailure(
          "No search provider is set up on this server, so the web cannot be searched. Use web_fetch for an address that you know, and say in the answer that nothing was searched.",
        );
      return search(argsSchema.parse(args).query, provider, context);
    },
  };
}

async function search(query: string, provider: SearchProvider, context: ToolContext): Promise<ToolOutcome> {
  const card = { card_id: newId(), kind: "search", title: query } as const;
  context.emit({ type: "card.created", card: { ...card, status: "in_progress", items: [] } });
  const show = (items: { title: string; url: string }[]) =>
    context.emit({ type: "card.updated", card: { ...card, status: "done", items } });
  try {
    const results = await ask(query, provider, context.signal);
    show(results.map(({ title, url }) => ({ title, url })));
    return { succeeded: true, output: { results } };
  } catch (error) {
    show([]);
    throw error instanceof EgressRefused || error instanceof EgressFailed
      ? new ToolFailure(`The search did not work: ${error.message}`)
      : error;
  }
}

async function ask(query: string, { url, reach }: SearchProvider, signal: AbortSignal) {
  const target = new URL(url);
  target.searchParams.set("q", query);
  target.searchParams.set("format", "json");
  const answer = await egressFetch(target, {
    ...reach,
    headers: { accept: "application/json" },
    signal,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: ANSWER_MAX_BYTES,
  });
  const parsed = answer.status === 200 && answer.ended === "complete" ? answerSchema.safeParse(readJson(answer.body)) : null;
  if (!parsed?.success) throw new ToolFailure(`The search provider answered ${answer.status} with nothing that can be read.`);
  return parsed.data.results
    .filter((result) => /^https?:\/\//i.test(result.url) && result.url.length <= 2_048)
    .slice(0, RESULTS_MAX)
    .map((result) => ({
      title: cut(result.title || result.url, TITLE_MAX_CHARACTERS),
      url: result.url.toWellFormed(),
      snippet: cut(result.content ?? "", SNIPPET_MAX_CHARACTERS),
    }));
}

function cut(text: string, characters: number): string {
  return text.slice(0, characters).replaceAll("\u0000", "").toWellFormed();
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
