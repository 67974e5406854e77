import "server-only";
import { headers } from "next/headers";
import { env } from "@/lib/env";

/** The address under which this service is reached, without a slash at its end: the operator's, else the one of this request. */
export async function baseUrl(): Promise<string> {
  const configured = env().PUBLIC_URL || env().NEXTAUTH_URL;
  if (configured) return configured.replace(/\/+$/, "");
  const host = (await headers()).get("host") ?? "localhost:3000";
  return `http://${host}`;
}
