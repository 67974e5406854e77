import { type Agent, type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { freshAddress } from "../fresh-address";
import type { FilledRequest } from "./fill-request";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The stream went on when it was left. */
  cut: boolean;
}

const ANSWER_WITHIN_MS = 240_000;
/** How long an endless answer is listened to. */
const STREAM_MS = 250;

/** Sends a request byte for byte as it is, and reads the answer; a stream is left after a moment. Fails when none comes, or a broken one. */
export function exchange(baseUrl: string, agent: Agent, request: FilledRequest): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(request.headers);
    const hasBody = request.body !== null && request.body.length > 0;
    const length = hasBody && headers["transfer-encoding"] === undefined ? { "content-length": request.body?.length } : {};
    const sent = httpRequest({
      hostname,
      port,
      agent,
      method: request.method,
      path: request.target,
      // Each from an address of its own: this test makes more of them than one may.
      headers: { "x-forwarded-for": freshAddress(), ...headers, ...length },
    });
    sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error(`There was no answer within ${ANSWER_WITHIN_MS} ms.`)));
    sent.on("response", (response) => void read(sent, response).then(resolve, reject));
    sent.on("error", reject);
    sent.end(hasBody ? request.body : undefined);
  });
}

async function read(sent: ClientRequest, response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let cut = false;
  const isStream = /x-ndjson/.test(response.headers["content-type"] ?? "");
  const leave = setTimeout(
    () => {
      cut = true;
      sent.destroy();
    },
    isStream ? STREAM_MS : ANSWER_WITHIN_MS,
  );
  try {
    for await (const part of response) parts.push(part);
  } catch (error) {
    if (!cut || !isStream) throw error;
  } finally {
    clearTimeout(leave);
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts), cut };
}
