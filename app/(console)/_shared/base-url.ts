import "server-only";
import { headers } from "next/headers";
import { env } from "@/lib/env";
import type { BaseUrls } from "./base-url-context";

/** The addresses under which both APIs are reached: the operator's, else the one of this request; each on its own host where it has one. */
export async function baseUrls(): Promise<BaseUrls> {
  const { PUBLIC_URL, NEXTAUTH_URL, API_BASE_HOST, APP_BASE_HOST } = env();
  const configured = PUBLIC_URL || NEXTAUTH_URL;
  const base = configured ? configured.replace(/\/+$/, "") : `http://${(await headers()).get("host") ?? "localhost:3000"}`;
  return { api: onHost(base, API_BASE_HOST), app: onHost(base, APP_BASE_HOST) };
}

/** A host without a port keeps the address's own. */
function onHost(base: string, host: string): string {
  if (!host) return base;
  const url = new URL(base);
  url.host = host;
  return url.toString().replace(/\/+$/, "");
}
