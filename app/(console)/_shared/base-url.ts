import "server-only";
import { requestBaseUrl } from "@/lib/api/console/prefetch";
import { env } from "@/lib/env";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";
import type { BaseUrls } from "../_shell/console-providers";

/**
 * The addresses under which both APIs are reached: the operator's, else the one of this request;
 * each on its own host where it has one.
 */
export async function baseUrls(): Promise<BaseUrls> {
  const { API_BASE_HOST, APP_BASE_HOST } = env();
  const base = await requestBaseUrl();
  return { api: onHost(base, API_BASE_HOST), app: onHost(base, APP_BASE_HOST) };
}

/** A host without a port keeps the address's own. */
function onHost(base: string, host: string): string {
  if (!host) return base;
  const url = new URL(base);
  url.host = host;
  return withoutTrailingSlashes(url.toString());
}
