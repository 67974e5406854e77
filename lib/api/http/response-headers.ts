import "server-only";

interface HeaderSpec {
  description: string;
  type: "string" | "integer";
  example: string | number;
  /** Not on every answer that may carry it. */
  optional?: true;
}

/** The response headers that operations name, with what they say. */
export const RESPONSE_HEADERS = {
  Location: {
    description: "Where the thing is fetched, as a path.",
    type: "string",
    example: "/v1/runs/01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001",
  },
  ETag: {
    description: "Strong validator of what was sent, for `If-Match` or `If-None-Match` of a later request.",
    type: "string",
    example: '"01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002-mhx1k2"',
  },
  "Idempotency-Replayed": {
    description: "`true` when this is the first answer to the same `Idempotency-Key` again; else absent.",
    type: "string",
    example: "true",
    optional: true,
  },
  "Content-Disposition": {
    description: "Always an attachment, with the file's name.",
    type: "string",
    example: "attachment; filename=\"sales.csv\"; filename*=UTF-8''sales.csv",
  },
  "Accept-Ranges": { description: "`bytes`: one range may be asked for.", type: "string", example: "bytes" },
  "Content-Range": {
    description: "Which bytes these are, and of how many; of a refused range only how many.",
    type: "string",
    example: "bytes 0-99/2048",
  },
  "Cache-Control": { description: "How long the answer may be kept.", type: "string", example: "no-store" },
  "X-Accel-Buffering": {
    description: "`no` on streams: proxies must hand the lines on at once.",
    type: "string",
    example: "no",
    optional: true,
  },
} as const satisfies Record<string, HeaderSpec>;

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

/** Whether an answer that names the header must carry it. */
export function isRequiredHeader(name: ResponseHeaderName): boolean {
  return !("optional" in RESPONSE_HEADERS[name]);
}
