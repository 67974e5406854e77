import "server-only";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
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

/** The content encodings that are undone on the way; we ask for none, but some servers compress unasked. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

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
