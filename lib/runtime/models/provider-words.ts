import "server-only";
import { APICallError } from "@ai-sdk/provider";
import { type Env, env } from "@/lib/env";
import { createRedactor, REDACTED, type Redactor } from "@/lib/platform/crypto/redact";
import { once } from "@/lib/platform/once";

const READ_MAX_CHARACTERS = 16_384;
/** What keys of vendors look like, also with their middle starred out as some vendors quote them, and what follows a word that announces one. */
const KEYS = /\b(?:sk|pk|rk|gsk|xai|hf|AIza)[-_]?[\w*-]{6,}|\b(?:bearer|x-api-key:?|api[-_]?key[=:]) *[\w*.~+/=-]{6,}/gi;
/** Machines by number, which are the operator's own or behind a gateway of his. */
const ADDRESSES = /(?:\bhttps?:\/\/)?(?:\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9a-f:.]{2,45}\])(?::\d+)?(?:\/[^\s"']*)?/gi;

/**
 * What a provider itself says of a call that failed, on one line: its error's message, or its answer where that is plain text. Without the operator's keys and
 * the addresses of his servers. Null where it said nothing that people could read (a connection that broke, a page of markup).
 */
export function providerWords(error: unknown, operator: Redactor = operatorRedactor()): string | null {
  const said = saidBy(error)?.slice(0, READ_MAX_CHARACTERS);
  if (!said) return null;
  const plain = operator.redact(said).replace(KEYS, REDACTED).replace(ADDRESSES, REDACTED);
  const line = plain.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line === "" || line === REDACTED ? null : line;
}

/** Takes the operator's provider keys, and the addresses of servers of his own, out of texts. */
export function operatorRedactor(settings: Env = env()): Redactor {
  return once("operator-redactor", () => createOperatorRedactor(settings));
}

export function createOperatorRedactor(settings: Env): Redactor {
  const keys = [
    settings.OPENAI_API_KEY,
    settings.ANTHROPIC_API_KEY,
    settings.GOOGLE_GENERATIVE_AI_API_KEY,
    settings.OPENAI_COMPATIBLE_API_KEY,
  ];
  const addresses = [settings.OPENAI_BASE_URL, settings.ANTHROPIC_BASE_URL, settings.GOOGLE_BASE_URL, settings.OPENAI_COMPATIBLE_BASE_URL];
  return createRedactor([...keys, ...addresses, ...addresses.map(hostOf)].filter((secret) => secret.length >= 4));
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "";
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
