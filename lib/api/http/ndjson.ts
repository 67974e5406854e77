import "server-only";
import type { Lines } from "@/lib/api/http/answer";
import type { StreamReply } from "@/lib/api/http/operation";

/** The headers of such a stream, as operations name them. */
export const NDJSON_HEADERS = ["Cache-Control", "X-Accel-Buffering"] as const;

/** A stream of newline-delimited JSON that no proxy buffers or stores. */
export function ndjson(lines: Lines): StreamReply {
  return {
    status: 200,
    headers: { "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store", "x-accel-buffering": "no" },
    lines,
  };
}
