import "server-only";

/** The headers of such a stream, as operations name them. */
export const NDJSON_HEADERS = ["Cache-Control", "X-Accel-Buffering"] as const;

/** A stream of newline-delimited JSON that no proxy buffers or stores. */
export function ndjson(stream: ReadableStream<Uint8Array>): Response {
  return new Response(stream, {
    status: 200,
    headers: { "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}
