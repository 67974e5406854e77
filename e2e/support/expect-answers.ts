import { expect } from "@playwright/test";
import type { ApiResponse, RequestOptions } from "./api-client";
import type { Schemas } from "./api-document";

// What must never reach the outside: a stack frame, a source path, a query, a database's own words.
const INTERNALS =
  /\bat [\w.<>]+ \(|node_modules|\.tsx?\b|\.m?js:\d|SELECT |INSERT INTO|prisma|postgres|violates|\/work\/|\/home\//i;

/**
 * Holds an answer to the error contract: status, code, a message without internals, `details` on
 * INVALID_INPUT, an id, JSON.
 */
export function expectError(
  response: ApiResponse,
  status: number,
  code: string,
  path?: string,
): Schemas["Error"] {
  expect({ status: response.status, error: readCode(response) }).toEqual({ status, error: code });
  expect(response.header("content-type")).toMatch(/^application\/json/);
  expect(response.header("x-request-id")).toBeTruthy();
  const body = response.as("Error");
  expect(body.message).not.toMatch(INTERNALS);
  if (code === "INVALID_INPUT") expect(body.details?.length).toBeGreaterThan(0);
  if (path !== undefined) expect(body.details?.map((detail) => detail.path)).toContain(path);
  return body;
}

function readCode(response: ApiResponse): unknown {
  try {
    // Any JSON may come; the shape is checked right after.
    return (response.json() as { error?: unknown }).error;
  } catch {
    return `(not JSON) ${response.text.slice(0, 300)}`;
  }
}

// What differs between two answers to anybody: ids and clocks.
const VARYING = new Set([
  "x-request-id",
  "date",
  "ratelimit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "connection",
  "keep-alive",
]);

/**
 * Byte for byte the same answer, request id aside: what belongs to somebody else looks like what is
 * not there.
 */
export function expectSameAnswer(foreign: ApiResponse, missing: ApiResponse, status: number): void {
  const seen = (response: ApiResponse) => ({
    status: response.status,
    body: response.text.replaceAll(response.header("x-request-id") ?? "\u0000", "REQUEST"),
    headers: [...response.headers].filter(([name]) => !VARYING.has(name)),
  });
  expect(seen(foreign)).toEqual(seen(missing));
  expect(foreign.status).toBe(status);
}

interface BrokenBody {
  name: string;
  options: RequestOptions;
  status: number;
  code: string;
}

const JSON_TYPE = { "content-type": "application/json" };
const BODY_MAX_BYTES = 1_048_576;

/**
 * The bodies that every JSON operation refuses (contract §1). `good` is a body that the operation
 * accepts, `text` one of its strings.
 */
export function brokenBodies(good: Record<string, unknown>, text: string): BrokenBody[] {
  const bad = (name: string, options: RequestOptions, status = 400, code = "INVALID_INPUT") => ({
    name,
    options,
    status,
    code,
  });
  const whole = JSON.stringify(good);
  return [
    bad("an unknown property", { json: { ...good, surprise: 1 } }),
    bad("malformed JSON", { raw: whole.slice(0, -1), headers: JSON_TYPE }),
    bad("an empty body", { raw: "", headers: JSON_TYPE }),
    bad("an array", { json: [good] }),
    bad("null", { json: null }),
    bad("a bare string", { json: "hello" }),
    bad("a NUL character", { json: { ...good, [text]: "a\u0000b" } }),
    bad("a lone high surrogate", { json: { ...good, [text]: "a\ud800b" } }),
    bad("a lone low surrogate", { json: { ...good, [text]: "\udc00" } }),
    bad("100,000 levels", { raw: "[".repeat(100_000), headers: JSON_TYPE }),
    bad("the content type text/plain", { raw: whole, headers: { "content-type": "text/plain" } }),
    bad("the content type of a form", {
      raw: whole,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
    bad("no content type", { raw: new TextEncoder().encode(whole) }),
    bad(
      "a body of 1 MiB and a byte",
      { raw: whole.padEnd(BODY_MAX_BYTES + 1, " "), headers: JSON_TYPE },
      413,
      "PAYLOAD_TOO_LARGE",
    ),
  ];
}
