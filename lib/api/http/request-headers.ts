import "server-only";
import { IDEMPOTENCY_KEPT_HOURS, IDEMPOTENCY_KEY_MAX_CHARACTERS } from "@/lib/model/limits";

/** The request headers that operations heed, with what they do. All are optional. */
export const REQUEST_HEADERS = {
  "Idempotency-Key": {
    description: `Any text of your own, kept for ${IDEMPOTENCY_KEPT_HOURS} hours: the same key and body start one run and are answered alike. The same key with another body, or while the first is in flight: 409 \`IDEMPOTENCY_CONFLICT\`.`,
    schema: { type: "string", minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_CHARACTERS },
    example: "order-4711",
  },
  "If-Match": {
    description:
      "The record's `ETag`: when it was changed since, nothing is stored and the answer is 412 `VERSION_CONFLICT`. `*` fits every one.",
    schema: { type: "string" },
    example: "*",
  },
  "If-None-Match": {
    description: "An `ETag` that you have: 304 without a body when it still holds.",
    schema: { type: "string" },
    example: '"none-yet"',
  },
  Range: {
    description: "One range of bytes; several, or another unit, are ignored. Beyond the end: 416 `RANGE_NOT_SATISFIABLE`.",
    schema: { type: "string" },
    example: "bytes=0-3",
  },
  "If-Range": {
    description: "With `Range`: the whole file is sent when its `ETag` is another by now.",
    schema: { type: "string" },
    example: '"none-yet"',
  },
} as const;

export type RequestHeaderName = keyof typeof REQUEST_HEADERS;
