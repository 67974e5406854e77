import "server-only";

/** Below this, an encoded form is so short that it stands in any text by chance; the value itself is redacted at any length. */
const MIN_ENCODED_CHARS = 4;

/** Every text under which a secret value may come back: as it is, and in the encodings that programs put values into. */
export function secretForms(secret: string): Set<string> {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const encoded = [hex, hex.toUpperCase(), ...base64Forms(bytes), ...percentForms(secret), ...jsonForms(secret), htmlForm(secret)];
  return new Set([secret, ...encoded.filter((form) => form.length >= MIN_ENCODED_CHARS)]);
}

/**
 * Base64 of a text that merely contains the secret (`user:secret` of Basic) shows it at one of three alignments. Of each, those
 * characters are taken that depend on nothing but the secret.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms = [bytes.toString("base64").replace(/=+$/, "")];
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.byteLength) * 8) / 6);
    // Three bytes at the least: shorter shared pieces are no longer telling.
    if (end - start >= MIN_ENCODED_CHARS) forms.push(text.slice(start, end));
  }
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** Encoders differ in what they leave alone, in the case of the digits and in the blank. */
function percentForms(secret: string): string[] {
  const whole = (text: string) =>
    Array.from(Buffer.from(text, "utf8"), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  const but = (safe: RegExp) => Array.from(secret, (char) => (safe.test(char) ? char : whole(char))).join("");
  const component = but(/[A-Za-z0-9\-_.!~*'()]/);
  const strict = but(/[A-Za-z0-9\-_.~]/);
  const form = but(/[A-Za-z0-9\-_.*]/);
  const uri = but(/[A-Za-z0-9\-_.!~*'();/?:@&=+$,#]/);
  const all = [component, strict, form, form.replaceAll("%20", "+"), strict.replaceAll("%20", "+"), uri, whole(secret)];
  return all.flatMap((text) => [text, text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function jsonForms(secret: string): string[] {
  const inner = (text: string) => JSON.stringify(text).slice(1, -1);
  const once = inner(secret);
  const ascii = (digits: (hex: string) => string) =>
    once.replace(/[^\x20-\x7e]/g, (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, "0"))}`);
  const lower = ascii((hex) => hex);
  const upper = ascii((hex) => hex.toUpperCase());
  const html = (text: string) => text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
  // JSON within JSON, as a tool's answer that quotes a request's body has it.
  return [once, once.replaceAll("/", "\\/"), lower, upper, html(once), html(lower)].flatMap((text) => [text, inner(text)]);
}

function htmlForm(secret: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return secret.replace(/[&<>"']/g, (char) => names[char] ?? char);
}
