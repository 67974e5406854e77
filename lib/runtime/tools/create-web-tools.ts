import "server-only";
import type { EgressReach } from "@/lib/platform/egress/open-egress";
import type { RuntimeTool } from "./tool";
import { createWebFetchTool, type FetchRule } from "./web-fetch-tool";
import { createWebSearchTool } from "./web-search-tool";

export interface WebReach {
  reach: EgressReach;
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
