import "server-only";
import { APICallError } from "@ai-sdk/provider";
import { REDACTED, type Redactor } from "@/lib/platform/crypto/redact";
import { redactOperator } from "@/lib/platform/redact-operator";

const READ_MAX_CHARACTERS = 16_384;
/**
 * What a provider itself says of a call that failed, on one line: its error's message, or its answer where that is plain text. Without the operator's keys and
 * the addresses of his servers. Null where it said nothing that people could read (a connection that broke, a page of markup).
 */
export function providerWords(error: unknown, operator?: Redactor): string | null {
  const said = saidBy(error)?.slice(0, READ_MAX_CHARACTERS);
  if (!said) return null;
  const plain = redactOperator(said, operator);
  const line = plain.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line === "" || line === REDACTED ? null : line;
}

function saidBy(error: unknown): string | null {
  if (APICallError.isInstance(error)) {
    // Without a status nobody answered, and the words are our own client's.
    if (error.statusCode === undefined) return null;
    return inBody(error.responseBody ?? "") ?? (/^status \d+$/.test(error.message) ? null : error.message);
  }
  return error instanceof Error ? null : messageOf(error);
}

function inBody(body: string): string | null {
  const text = body.trim();
  if (text === "" || text.startsWith("<")) return null;
  try {
    return messageOf(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The message inside an error's JSON: `{error: {message}}` of most, `{error: "…"}`, `{message}`, `{detail}`, `{detail: [{msg}]}`, or one of these in a list. */
function messageOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return messageOf(value[0]);
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Record<string, unknown>; // any object may be looked into by key
  for (const name of ["error", "message", "detail", "msg"]) {
    const found = fields[name] === undefined ? null : messageOf(fields[name]);
    if (found) return found;
  }
  return null;
}
