import "server-only";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

/** Deeper JSON is given as text. */
const JSON_MAX_DEPTH_LEVELS = 60;
/**
 * The longest piece of a secret that redaction looks for: so much of a text that was cut off may
 * hide the start of one.
 */
export const CUT_TAIL_CHARACTERS = 64;

/**
 * The text of an answer's bytes, by the charset of its media type (UTF-8 without one); null for
 * bytes that are no text.
 */
export function decodeAnswer(bytes: Uint8Array, contentType: string): string | null {
  const charset =
    /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? sniffCharset(bytes) ?? "utf-8";
  const text = decoderOf(charset).decode(bytes);
  return text.slice(0, 1_000).includes("\u0000") ? null : text;
}

/** The JSON value of a text; undefined when it is none, or nested too deeply to keep. */
export function parseAnswerJson(text: string): JsonValue | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    // JSON.parse gives nothing but JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** A page may say its charset in its own head. */
function sniffCharset(bytes: Uint8Array): string | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024));
  for (const tag of head.split("<").slice(1)) {
    const inside = tag.split(">", 1)[0] ?? "";
    const at = inside.toLowerCase().indexOf("charset");
    if (!inside.toLowerCase().startsWith("meta") || at < 0) continue;
    const value = inside.slice(at + "charset".length).trimStart();
    if (!value.startsWith("=")) continue;
    const named = /^["']?([\w.:-]{1,100})/.exec(value.slice(1).trimStart())?.[1];
    if (named !== undefined) return named;
  }
  return null;
}

/** Counts brackets outside strings, so that nothing has to be parsed to know. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > JSON_MAX_DEPTH_LEVELS) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}
