import type { RequestOptions } from "./api-client";

export interface BrokenBody {
  name: string;
  options: RequestOptions;
  status: number;
  code: string;
}

const JSON_TYPE = { "content-type": "application/json" };
const BODY_MAX_BYTES = 1_048_576;

/** The bodies that every JSON operation refuses (contract §1). `good` is a body that the operation accepts, `text` one of its strings. */
export function brokenBodies(good: Record<string, unknown>, text: string): BrokenBody[] {
  const bad = (name: string, options: RequestOptions, status = 400, code = "INVALID_INPUT") => ({ name, options, status, code });
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
    bad("the content type of a form", { raw: whole, headers: { "content-type": "application/x-www-form-urlencoded" } }),
    bad("no content type", { raw: new TextEncoder().encode(whole) }),
    bad("a body of 1 MiB and a byte", { raw: whole.padEnd(BODY_MAX_BYTES + 1, " "), headers: JSON_TYPE }, 413, "PAYLOAD_TOO_LARGE"),
  ];
}
