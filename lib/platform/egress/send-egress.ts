import "server-only";
import type { IncomingMessage } from "node:http";
import type { EgressRequest } from "./egress-request";
import { type EgressHop, openEgress } from "./open-egress";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** All that may follow a request to another origin; a credential may stand under any other name. */
const NEUTRAL_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

/**
 * Sends a request and follows at most `followRedirects` redirects, each hop checked and connected like the first one. Another origin
 * gets no credentials and no body, and is followed only where the caller lets it: such a redirect of a request with a body is handed back as the answer, as is one too many.
 */
export async function sendEgress(
  first: EgressHop,
  { followRedirects = 0, mayFollow = () => true }: Pick<EgressRequest, "followRedirects" | "mayFollow">,
): Promise<{ response: IncomingMessage; url: URL }> {
  let hop = first;
  for (let left = followRedirects; ; left -= 1) {
    const response = await openEgress(hop);
    const next = left > 0 ? nextHop(hop, response, mayFollow) : null;
    if (next === null) return { response, url: hop.url };
    response.on("error", () => {});
    response.destroy();
    hop = next;
  }
}

function nextHop(hop: EgressHop, response: IncomingMessage, mayFollow: (url: URL) => boolean): EgressHop | null {
  const status = response.statusCode ?? 0;
  const location = response.headers.location;
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, hop.url)) return null;
  const url = new URL(location, hop.url);
  const toGet = hop.method !== "HEAD" && (status === 303 || (hop.method === "POST" && status < 303));
  const method = toGet ? "GET" : hop.method;
  const body = toGet ? undefined : hop.body;
  const elsewhere = url.origin !== hop.url.origin;
  if (elsewhere && !mayFollow(url)) return null;
  if (elsewhere && (body !== undefined || (method !== "GET" && method !== "HEAD"))) return null;
  const headers = new Map([...hop.headers].filter(([name]) => !elsewhere || NEUTRAL_HEADERS.has(name.toLowerCase())));
  if (toGet) for (const name of [...headers.keys()]) if (name.toLowerCase().startsWith("content-")) headers.delete(name);
  return { ...hop, url, method, body, headers };
}
