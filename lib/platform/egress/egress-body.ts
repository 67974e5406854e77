import "server-only";
import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { DECODERS } from "./decoders";
import { EgressFailed } from "./egress-failed";

/**
 * The body of an answer as bytes, decoded when the server compressed it unasked. No more than `maxBytes` are ever yielded; whoever
 * reads on past them gets `EgressFailed` `too_large`. The raw bytes are bounded alike, so that a bomb is stopped on either side.
 */
export async function* egressBody(response: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  const raw = { bytes: 0 };
  const decoder = DECODERS.get(response.headers["content-encoding"]?.trim().toLowerCase() ?? "")?.();
  const source: Readable = decoder === undefined ? response : pipeline(limitRaw(response, maxBytes, raw), decoder, () => {});
  let seen = 0;
  try {
    for await (const piece of source) {
      // A Readable without an encoding yields Buffers; its iterator is typed as any.
      const chunk = piece as Buffer;
      const room = maxBytes - seen;
      seen += chunk.byteLength;
      if (chunk.byteLength > 0 && room > 0) yield new Uint8Array(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, room));
      if (seen > maxBytes) throw new EgressFailed("too_large");
    }
  } catch (error) {
    // An answer to HEAD, or a 204, may name an encoding and have nothing to decode.
    if (decoder !== undefined && raw.bytes === 0 && response.complete) return;
    throw error instanceof EgressFailed ? error : new EgressFailed("broken", { cause: error });
  } finally {
    response.on("error", () => {});
    response.destroy();
    source.destroy();
  }
}

async function* limitRaw(response: IncomingMessage, maxBytes: number, raw: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const piece of response) {
    // As above: Buffers, typed as any.
    const chunk = piece as Buffer;
    raw.bytes += chunk.byteLength;
    if (raw.bytes > maxBytes) throw new EgressFailed("too_large");
    yield chunk;
  }
}
