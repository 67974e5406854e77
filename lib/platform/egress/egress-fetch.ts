import "server-only";
import { egressBody } from "./egress-body";
import { startEgressDeadline } from "./egress-deadline";
import { EgressFailed } from "./egress-failed";
import type { EgressRequest } from "./egress-request";
import { sendEgress } from "./send-egress";
import { toFirstHop } from "./to-first-hop";
import { toHeaders } from "./to-headers";

export type EgressAnswer = {
  status: number;
  headers: Headers;
  /** At most `maxResponseBytes`. */
  body: Uint8Array;
  /** Why the body ends where it does; all but `complete` mean that bytes are missing. */
  ended: "complete" | "too_large" | "timeout" | "broken";
  /** The URL that answered, after redirects. */
  url: string;
};

/**
 * One guarded call with its answer read into memory, for webhooks and connectors. `timeoutMs` covers everything, from the name's
 * resolution to the last byte. By hand, as no package tried refuses every private form of an address and connects to exactly the one that was checked. Once the head of the answer is there the call succeeds, whatever becomes of the body: see `ended`.
 *
 * @throws EgressRefused nothing was sent there; EgressFailed no answer; the reason of `signal` when the caller gave up.
 */
export async function egressFetch(target: URL | string, request: EgressRequest): Promise<EgressAnswer> {
  const deadline = startEgressDeadline(request.timeoutMs, request.signal);
  try {
    const { response, url } = await sendEgress(toFirstHop(target, request, deadline.signal), request);
    const chunks: Uint8Array[] = [];
    let ended: EgressAnswer["ended"] = "complete";
    try {
      for await (const chunk of egressBody(response, request.maxResponseBytes)) chunks.push(chunk);
    } catch (error) {
      request.signal?.throwIfAborted();
      ended = endOf(deadline.signal.aborted ? deadline.signal.reason : error);
    }
    return { status: response.statusCode ?? 0, headers: toHeaders(response.headers), body: Buffer.concat(chunks), ended, url: url.href };
  } finally {
    deadline.stop();
  }
}

function endOf(error: unknown): EgressAnswer["ended"] {
  if (!(error instanceof EgressFailed)) throw error;
  return error.reason === "too_large" || error.reason === "timeout" ? error.reason : "broken";
}
