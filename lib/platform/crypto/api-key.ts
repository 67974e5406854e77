import "server-only";
import { createHash, randomBytes } from "node:crypto";
/** An account key opens `/v1`, an app key one agent on the app-scoped path. */
export type ApiKeyKind = "account" | "app";

export const API_KEY_PREFIX = { account: "svc_sk_", app: "appapi_" } as const satisfies Record<
  ApiKeyKind,
  string
>;

const SECRET_BYTES = 32;
/** 62^43 is the least power of 62 over 2^256. */
const SECRET_CHARS = 43;
const CHECKSUM_CHARS = 6;
const BODY = new RegExp(`^[0-9A-Za-z]{${SECRET_CHARS + CHECKSUM_CHARS}}$`);

/**
 * A key's text: prefix, 32 random bytes in base62 at a fixed width, and a checksum of 6 characters.
 * To be shown once and never stored.
 */
export function createApiKey(kind: ApiKeyKind): string {
  const head = API_KEY_PREFIX[kind] + toBase62(randomBytes(SECRET_BYTES), SECRET_CHARS);
  return head + checksum(head);
}

/**
 * What is stored and looked up: SHA-256 of the text. Fast on purpose: a key has 256 random bits,
 * and a slow hash would invite floods.
 */
export function hashApiKey(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(text).digest());
}

/**
 * Whether a text can be a key of this kind: prefix, alphabet, length and checksum. Turns typing
 * errors and made-up keys away before the database is asked; says nothing about whether the key
 * exists. The work done depends on the text's form alone, not on any key.
 */
export function looksLikeApiKey(text: string, kind: ApiKeyKind): boolean {
  const prefix = API_KEY_PREFIX[kind];
  if (!text.startsWith(prefix) || !BODY.test(text.slice(prefix.length))) return false;
  return checksum(text.slice(0, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS);
}

/** Covers the prefix too, so that a key does not pass under the other family's prefix. */
function checksum(head: string): string {
  return toBase62(
    createHash("sha256").update(`checksum:${head}`).digest().subarray(0, 8),
    CHECKSUM_CHARS,
  );
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Bytes, read as one big-endian number, in base62 of exactly `width` characters; higher digits are
 * cut off.
 */
export function toBase62(bytes: Uint8Array, width: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`);
  let text = "";
  for (let place = 0; place < width; place += 1) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
