import "server-only";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { once } from "@/lib/platform/once";
import { StreamCut } from "../to-model-call-problem";

/** A server that says nothing at all for this long has forgotten us. */
const SILENCE_MAX_MS = 300_000;

/**
 * Posts JSON to the operator's own server and gives its answer as it begins, whatever its status. Node's own client: the streams of `fetch` cost several
 * times as much a read. Redirects are not followed.
 * @throws StreamCut, or the error of the connection with its code
 */
export function postJson(url: string, headers: Record<string, string>, body: string, signal?: AbortSignal): Promise<IncomingMessage> {
  const target = new URL(url);
  const isHttps = target.protocol === "https:";
  const options = {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)), ...headers },
    agent: isHttps ? agents().https : agents().http,
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const request = (isHttps ? requestHttps : requestHttp)(target, options, resolve);
    request.once("error", reject);
    request.setTimeout(SILENCE_MAX_MS, () => request.destroy(new StreamCut("nothing was heard for five minutes")));
    request.end(body);
  });
}

/** Connections are kept for the next call. */
function agents(): { http: HttpAgent; https: HttpsAgent } {
  return once("compatible-agents", () => ({
    http: new HttpAgent({ keepAlive: true, keepAliveMsecs: 5_000 }),
    https: new HttpsAgent({ keepAlive: true, keepAliveMsecs: 5_000 }),
  }));
}
