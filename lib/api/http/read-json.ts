import "server-only";
import type { ApiRequest } from "@/lib/api/http/api-request";
import { decodeUtf8 } from "@/lib/api/http/decode-utf8";
import { findJsonFault } from "@/lib/api/http/json-fault";
import { readBounded } from "@/lib/api/http/read-bounded";
import { invalidInput } from "@/lib/model/errors";
import { JSON_BODY_MAX_BYTES, JSON_MAX_DEPTH_LEVELS } from "@/lib/model/limits";

/**
 * Reads a JSON body that the service can keep: UTF-8, at most 1 MiB and 64 levels, no NUL, no lone surrogate, no key `__proto__` (which parsers
 * drop without a word).
 * @returns undefined for an empty body
 * @throws ServiceError PAYLOAD_TOO_LARGE, INVALID_INPUT
 */
export async function readJson(request: ApiRequest): Promise<unknown> {
  const bytes = await readBounded(request, JSON_BODY_MAX_BYTES, `A JSON body may have at most ${JSON_BODY_MAX_BYTES} bytes.`);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) throw invalidInput("", "The body must be JSON: send Content-Type: application/json.");
  const text = decodeUtf8(bytes);
  const value = parse(text);
  requireStorable(value, "", 1, text.includes("\\u"));
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words repeat a piece of the body, in which there may be a secret.
    const fault = findJsonFault(text);
    const reason = fault === null ? "it is nested too deeply" : `line ${fault.line}, column ${fault.column}: expected ${fault.expected}`;
    throw invalidInput("", `The body is not valid JSON: ${reason}.`);
  }
}

function requireStorable(value: unknown, path: string, depth: number, escaped: boolean): void {
  if (typeof value === "string") requireText(value, path, escaped);
  if (typeof value !== "object" || value === null) return;
  if (depth > JSON_MAX_DEPTH_LEVELS) throw invalidInput("", `The body is nested deeper than ${JSON_MAX_DEPTH_LEVELS} levels.`);
  for (const [key, item] of Object.entries(value)) {
    requireText(key, path, escaped);
    if (key === "__proto__") throw invalidInput(path ? `${path}.__proto__` : "__proto__", "is a name that no property may have");
    requireStorable(item, path ? `${path}.${key}` : key, depth + 1, escaped);
  }
}

function requireText(text: string, path: string, escaped: boolean): void {
  if (!escaped) return; // raw NULs are no JSON and raw surrogates no UTF-8: only escapes bring them
  if (text.includes("\u0000")) throw invalidInput(path, "must not contain the NUL character");
  if (!text.isWellFormed()) throw invalidInput(path, "must not contain a lone surrogate");
}
