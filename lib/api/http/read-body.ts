import "server-only";
import type { ApiRequest } from "@/lib/api/http/request";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { JSON_BODY_MAX_BYTES, JSON_MAX_DEPTH_LEVELS } from "@/lib/model/limits";
import { nextTurn } from "@/lib/platform/in-slices";

/**
 * A request's body of at most `maxBytes`; reading stops at the first byte beyond. @throws
 * ServiceError PAYLOAD_TOO_LARGE with `tooLarge`
 */
export async function readBounded(
  request: ApiRequest,
  maxBytes: number,
  tooLarge: string,
): Promise<Buffer> {
  const refuse = () => new ServiceError("PAYLOAD_TOO_LARGE", tooLarge);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw refuse();
  if (request.readAll) {
    const bytes = await request.readAll(maxBytes);
    if (bytes === null) throw refuse();
    return bytes;
  }
  if (!request.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Node's web streams are async iterable; the DOM type does not say so.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw refuse();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** A body's text. @throws ServiceError INVALID_INPUT for bytes that are no UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidInput("", "The body is not valid UTF-8.");
  }
}

/**
 * Reads a JSON body that the service can keep: UTF-8, at most 1 MiB (or `maxBytes`) and 64 levels,
 * no NUL, no lone surrogate, no key `__proto__` (which parsers drop without a word).
 * @returns undefined for an empty body
 * @throws ServiceError PAYLOAD_TOO_LARGE, INVALID_INPUT
 */
export async function readJson(
  request: ApiRequest,
  maxBytes = JSON_BODY_MAX_BYTES,
): Promise<unknown> {
  const bytes = await readBounded(
    request,
    maxBytes,
    `A JSON body may have at most ${maxBytes} bytes.`,
  );
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw invalidInput("", "The body must be JSON: send Content-Type: application/json.");
  const text = decodeUtf8(bytes);
  const value = parse(text);
  // Each of the three that look at all of a large body takes some 50 ms: others have their turn
  // between them.
  const isLarge = bytes.length > LARGE_BYTES;
  if (isLarge) await nextTurn();
  requireStorable(value, [], text.includes("\\u"));
  if (isLarge) await nextTurn();
  return value;
}

const LARGE_BYTES = 65_536;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words repeat a piece of the body, in which there may be a secret.
    const fault = findJsonFault(text);
    const reason =
      fault === null
        ? "it is nested too deeply"
        : `line ${fault.line}, column ${fault.column}: expected ${fault.expected}`;
    throw invalidInput("", `The body is not valid JSON: ${reason}.`);
  }
}

/** @param path the way to `value`; as it is when this returns */
function requireStorable(value: unknown, path: string[], escaped: boolean): void {
  if (typeof value === "string") requireText(value, path, escaped);
  if (typeof value !== "object" || value === null) return;
  if (path.length >= JSON_MAX_DEPTH_LEVELS)
    throw invalidInput("", `The body is nested deeper than ${JSON_MAX_DEPTH_LEVELS} levels.`);
  const isList = Array.isArray(value);
  for (const key in value) {
    if (!isList) {
      requireText(key, path, escaped);
      if (key === "__proto__")
        throw invalidInput([...path, key].join("."), "is a name that no property may have");
    }
    const item: unknown = Reflect.get(value, key);
    // A number has nothing wrong about it.
    if (typeof item !== "string" && typeof item !== "object") continue;
    path.push(key);
    requireStorable(item, path, escaped);
    path.pop();
  }
}

function requireText(text: string, path: readonly string[], escaped: boolean): void {
  if (!escaped) return; // raw NULs are no JSON and raw surrogates no UTF-8: only escapes bring them
  if (text.includes("\u0000"))
    throw invalidInput(path.join("."), "must not contain the NUL character");
  if (!text.isWellFormed()) throw invalidInput(path.join("."), "must not contain a lone surrogate");
}

/**
 * Where a text stops being JSON, and what should stand there. It repeats nothing of the text, in
 * which there may be a secret.
 */
interface JsonFault {
  line: number;
  column: number;
  expected: string;
}

type Place = "value" | "value or ]" | "name" | "name or }" | "colon" | "after" | "end";

const EXPECTED: Record<Place, string> = {
  value: "a value: a text in double quotes, a number, true, false, null, an object or a list",
  "value or ]":
    "a value (a text in double quotes, a number, true, false, null, an object or a list) or " +
    "a closing bracket",
  name: "a property's name in double quotes",
  "name or }": "a property's name in double quotes, or a closing brace",
  colon: "a colon behind the property's name",
  after: "a comma or a closing bracket",
  end: "nothing more behind the value",
};
const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const STRING_PART = /(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000}/uy;

/** The first fault of a text that `JSON.parse` refuses; null when it is JSON. */
export function findJsonFault(text: string): JsonFault | null {
  const fault = new JsonScan(text).run();
  if (fault === null) return null;
  const before = text.slice(0, fault.offset);
  return {
    line: before.split("\n").length,
    column: before.length - before.lastIndexOf("\n"),
    expected: fault.expected,
  };
}

class JsonScan {
  readonly #text: string;
  #at = 0;
  #place: Place = "value";
  /** The brackets that are open. */
  #open: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): { offset: number; expected: string } | null {
    for (;;) {
      this.#take(SPACE);
      if (this.#at >= this.#text.length && this.#place === "end") return null;
      const expected = this.#step(this.#text.charAt(this.#at));
      if (expected !== null) return { offset: this.#at, expected };
    }
  }

  /** Takes one token; says what should have stood there when it cannot. */
  #step(character: string): string | null {
    const place = this.#place;
    if (character === "" && this.#open.length > 0)
      return `more: ${this.#open.at(-1)} is never closed`;
    switch (place) {
      case "colon":
        return character === ":" ? this.#go(1, "value") : EXPECTED.colon;
      case "after":
        return character === ","
          ? this.#go(1, this.#open.at(-1) === "{" ? "name" : "value")
          : this.#close(character);
      case "end":
        return EXPECTED.end;
      case "name":
      case "name or }":
        if (character === '"') return this.#string("colon");
        return character === "}" && place === "name or }"
          ? this.#close(character)
          : this.#expected(character);
      default:
        return character === "]" && place === "value or ]"
          ? this.#close(character)
          : this.#value(character);
    }
  }

  #value(character: string): string | null {
    if (character === '"') return this.#string(this.#afterValue());
    if (character === "{" || character === "[") {
      this.#open.push(character);
      return this.#go(1, character === "{" ? "name or }" : "value or ]");
    }
    return this.#take(SCALAR) ? this.#go(0, this.#afterValue()) : this.#expected(character);
  }

  #expected(character: string): string {
    const isTrailingComma =
      (character === "}" || character === "]") &&
      (this.#place === "name" || this.#place === "value");
    return (
      `${EXPECTED[this.#place]}` +
      `${isTrailingComma ? "; a comma before a closing bracket is not allowed" : ""}`
    );
  }

  #close(character: string): string | null {
    if (character !== (this.#open.at(-1) === "{" ? "}" : "]")) return EXPECTED.after;
    this.#open.pop();
    return this.#go(1, this.#afterValue());
  }

  #string(next: Place): string | null {
    const start = this.#at;
    this.#at += 1;
    while (this.#take(STRING_PART));
    const character = this.#text.charAt(this.#at);
    if (character === '"') return this.#go(1, next);
    if (character === "\\")
      return 'one of " \\ / b f n r t, or u and four hexadecimal digits, behind the backslash';
    if (character !== "") return "no control character inside a text: write a line break as \\n";
    this.#at = start;
    return "a closing double quote for the text that begins here";
  }

  #afterValue(): Place {
    return this.#open.length > 0 ? "after" : "end";
  }

  #go(characters: number, place: Place): null {
    this.#at += characters;
    this.#place = place;
    return null;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found !== "";
  }
}

/**
 * A YAML body's text, not yet parsed. @throws ServiceError PAYLOAD_TOO_LARGE; INVALID_INPUT for
 * another content type or broken UTF-8
 */
export async function readYaml(request: ApiRequest, maxBytes: number): Promise<string> {
  const bytes = await readBounded(
    request,
    maxBytes,
    `A YAML body may have at most ${maxBytes} bytes.`,
  );
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/yaml\s*(;|$)/i.test(type))
    throw invalidInput("", "The body must be YAML: send Content-Type: application/yaml.");
  return decodeUtf8(bytes);
}
