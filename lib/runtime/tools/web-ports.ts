import "server-only";
import type { SearchProviderName } from "@/lib/env";
import type { ToolContext } from "@/lib/runtime/tools/tool";

/** Answers which hosts may be fetched from without asking a person. */
export type FetchRule = () => Promise<(url: URL) => boolean>;

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
