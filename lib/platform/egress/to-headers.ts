import "server-only";
import type { IncomingHttpHeaders } from "node:http";
import { DECODERS } from "./decoders";

/** Node's headers of an answer as web `Headers`, without what no longer holds once the body is decoded. */
export function toHeaders(raw: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  if (DECODERS.has(headers.get("content-encoding")?.toLowerCase() ?? ""))
    for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return headers;
}
