import "server-only";
import { EgressRefused } from "./egress-refused";
import type { EgressRequest } from "./egress-request";
import type { EgressHop } from "./open-egress";

/** @throws EgressRefused when the text is no URL at all; whether it is a permitted one is decided where it is connected. */
export function toFirstHop(target: URL | string, request: EgressRequest, signal: AbortSignal): EgressHop {
  if (typeof target === "string" && !URL.canParse(target)) throw new EgressRefused();
  return {
    url: new URL(target),
    method: request.method ?? "GET",
    headers: new Map(Object.entries(request.headers ?? {})),
    body: typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body,
    signal,
    reach: { allow: request.allow, deny: request.deny, lookup: request.lookup, connect: request.connect, ca: request.ca },
  };
}
