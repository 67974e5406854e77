import "server-only";
import type { oas31 } from "zod-openapi";
import { isRequiredHeader, RESPONSE_HEADERS, type ResponseHeaderName } from "@/lib/api/http/answer";

type Header = oas31.HeaderObject;
type Headers = Record<string, oas31.HeaderObject | oas31.ReferenceObject>;

const BUDGET: Record<string, Header> = {
  "RateLimit-Policy": {
    description: "The budget of this kind of request: `q` in a window of `w` seconds.",
    schema: { type: "string" },
    example: '"minute";q=30;w=60',
  },
  RateLimit: { description: "`r` requests remain for `t` seconds.", schema: { type: "string" }, example: '"minute";r=29;t=60' },
  "X-RateLimit-Limit": { description: "Requests a minute.", schema: { type: "integer", minimum: 0 }, example: 30 },
  "X-RateLimit-Remaining": { description: "Requests left in this window.", schema: { type: "integer", minimum: 0 }, example: 29 },
  "X-RateLimit-Reset": { description: "Seconds until the window ends.", schema: { type: "integer", minimum: 0 }, example: 60 },
};

const RETRY_AFTER: Header = { description: "Whole seconds to wait.", schema: { type: "integer", minimum: 1 }, example: 12 };

/** The headers that responses share by reference. */
export function headerComponents(): Record<string, Header> {
  const own = Object.entries(RESPONSE_HEADERS).map(([name, { description, type, example }]) => {
    // The keys of the table are its names.
    const required = isRequiredHeader(name as ResponseHeaderName);
    return [name, { description, ...(required && { required }), schema: { type }, example }];
  });
  const budget = Object.entries(BUDGET).map(([name, header]) => [name, { ...header, required: true }]);
  return {
    "X-Request-Id": {
      description:
        "Quote it when you report a problem. It is the request's own `X-Request-Id` where that has 1 to 128 of A–Z, a–z, 0–9, `.`, `_` and `-`.",
      required: true,
      schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
      example: "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001",
    },
    ...Object.fromEntries(budget),
    "Retry-After": { ...RETRY_AFTER, required: true },
    "WWW-Authenticate": { description: "How to authenticate.", required: true, schema: { type: "string" }, example: "Bearer" },
    ...Object.fromEntries(own),
  };
}

/** References to shared headers. */
export function headerRefs(names: readonly string[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What every answer carries once the key is known. */
export function budgetHeaders(): Headers {
  return headerRefs(Object.keys(BUDGET));
}

/** The same on answers that may also come before the key is known. */
export function possibleBudgetHeaders(): Headers {
  return BUDGET;
}

/** Of refusals that may name a time, or not. */
export function possibleRetryAfter(): Headers {
  return { "Retry-After": RETRY_AFTER };
}

/** Of operations that go away (docs/versioning.md). Not among the components: most documents have none. */
export function headersOfDeprecation(): Headers {
  return {
    Deprecation: {
      description: "Since when, in seconds since 1970 after an `@` (RFC 9745).",
      schema: { type: "string" },
      example: "@1798761600",
    },
    Sunset: {
      description: "From when on it may be missing (RFC 8594).",
      schema: { type: "string" },
      example: "Thu, 01 Jul 2027 00:00:00 GMT",
    },
  };
}
