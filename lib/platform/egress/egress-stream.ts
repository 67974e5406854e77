import "server-only";
import type { IncomingMessage } from "node:http";
import { egressBody } from "./egress-body";
import { type EgressDeadline, startEgressDeadline } from "./egress-deadline";
import type { EgressRequest } from "./egress-request";
import { sendEgress } from "./send-egress";
import { toFirstHop } from "./to-first-hop";
import { toHeaders } from "./to-headers";

export type EgressStreamRequest = EgressRequest & {
  /** The longest silence within the body, in milliseconds; default `timeoutMs`, which itself covers only the way to the head. */
  idleTimeoutMs?: number;
};

export type EgressStreamAnswer = {
  status: number;
  statusText: string;
  headers: Headers;
  /** Errors with EgressFailed (`too_large`, `timeout`, `broken`) or the reason of `signal`. Read it to the end or cancel it. */
  body: ReadableStream<Uint8Array>;
  url: string;
};

/**
 * One guarded call whose answer is handed on while it arrives, for web pages and event streams. The connection is read only as fast
 * as the stream is, and is closed with it.
 *
 * @throws EgressRefused nothing was sent there; EgressFailed no answer; the reason of `signal` when the caller gave up.
 */
export async function egressStream(target: URL | string, request: EgressStreamRequest): Promise<EgressStreamAnswer> {
  const deadline = startEgressDeadline(request.timeoutMs, request.signal);
  try {
    const { response, url } = await sendEgress(toFirstHop(target, request, deadline.signal), request);
    return {
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? "",
      headers: toHeaders(response.headers),
      body: streamBody(response, request, deadline),
      url: url.href,
    };
  } catch (error) {
    deadline.stop();
    throw error;
  }
}

function streamBody(response: IncomingMessage, request: EgressStreamRequest, deadline: EgressDeadline): ReadableStream<Uint8Array> {
  const idleMs = request.idleTimeoutMs ?? request.timeoutMs;
  const chunks = egressBody(response, request.maxResponseBytes);
  // The clock ends the answer even when nobody is reading it; without a listener the fault would end the process.
  response.on("error", () => {});
  deadline.restart(idleMs);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        deadline.restart(idleMs);
        try {
          const next = await chunks.next();
          if (!next.done) return controller.enqueue(next.value);
          deadline.stop();
          controller.close();
        } catch (error) {
          deadline.stop();
          throw deadline.signal.aborted ? deadline.signal.reason : error;
        }
      },
      cancel: (reason) => {
        deadline.abort(reason ?? new Error("no longer read"));
        deadline.stop();
        response.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
