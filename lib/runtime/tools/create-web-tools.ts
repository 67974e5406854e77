import "server-only";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";
import { createWebFetchTool, type FetchRule } from "@/lib/runtime/tools/web-fetch-tool";
import { createWebSearchTool, type SearchProvider } from "@/lib/runtime/tools/web-search-tool";

export interface WebReach {
  reach: EgressOptions;
  /** Null: nothing can be searched. */
  search: SearchProvider | null;
  /** Null: every public host may be fetched from without asking. */
  fetchRule: FetchRule | null;
}

/** The built-in tools that reach out to the web. The search provider's address is the operator's, who may point it at a host of their own network. */
export function createWebTools({ reach, search, fetchRule }: WebReach): RuntimeTool[] {
  return [createWebFetchTool(reach, fetchRule), createWebSearchTool(search, reach)];
}
