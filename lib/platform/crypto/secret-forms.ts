import "server-only";

/** Below this, an encoded form is so short that it stands in any text by chance; the value itself is redacted at any length. */
const MIN_ENCODED_CHARS = 4;

/**
 * Every text under which a secret value may come back: as it is, and in the encodings that programs put values into. Some may come
 * twice. Made one by one, as those of a large secret take a while.
 */
export function* secretForms(secret: string): Generator<string> {
  yield secret;
  for (const form of encodedForms(secret)) if (form !== secret && form.length >= MIN_ENCODED_CHARS) yield form;
}

function* encodedForms(secret: string): Generator<string> {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  yield hex;
  yield hex.toUpperCase();
  yield* base64Forms(bytes);
  yield* percentForms(secret);
  yield* jsonForms(secret);
  yield htmlForm(secret);
}

/**
 * Base64 of a text that merely contains the secret (`user:secret` of Basic) shows it at one of three alignments. Of each, those
 * characters are taken that depend on nothing but the secret.
 */
function* base64Forms(bytes: Buffer): Generator<string> {
  const urlSafe = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_");
  const whole = bytes.toString("base64").replace(/=+$/, "");
  yield whole;
  yield urlSafe(whole);
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.byteLength) * 8) / 6);
    // Three bytes at the least: shorter shared pieces are no longer telling.
    if (end - start < MIN_ENCODED_CHARS) continue;
    yield text.slice(start, end);
    yield urlSafe(text.slice(start, end));
  }
}

/** Encoders differ in what they leave alone, in the case of the digits and in the blank. */
function* percentForms(secret: string): Generator<string> {
  const whole = (text: string) => Buffer.from(text, "utf8").toString("hex").toUpperCase().replace(/../g, "%$&");
  const unsafe = {
    component: /[^A-Za-z0-9\-_.!~*'()]+/g,
    strict: /[^A-Za-z0-9\-_.~]+/g,
    form: /[^A-Za-z0-9\-_.*]+/g,
    uri: /[^A-Za-z0-9\-_.!~*'();/?:@&=+$,#]+/g,
    nothing: /[\s\S]+/g,
  };
  for (const [name, pattern] of Object.entries(unsafe)) {
    const text = secret.replace(pattern, whole);
    const spellings = name === "form" || name === "strict" ? [text, text.replaceAll("%20", "+")] : [text];
    for (const spelling of spellings) {
      yield spelling;
      yield spelling.replace(/(?:%[0-9A-F]{2})+/g, (codes) => codes.toLowerCase());
    }
  }
}

function* jsonForms(secret: string): Generator<string> {
  const inner = (text: string) => JSON.stringify(text).slice(1, -1);
  const once = inner(secret);
  const ascii = (isUpper: boolean) => once.replace(/[^\x20-\x7e]+/g, (run) => unicodeEscapes(run, isUpper));
  const html = (text: string) => text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
  for (const form of [() => once, () => once.replaceAll("/", "\\/"), () => ascii(false), () => ascii(true), () => html(once)]) {
    const text = form();
    yield text;
    // JSON within JSON, as a tool's answer that quotes a request's body has it.
    yield inner(text);
  }
  const plain = html(ascii(false));
  yield plain;
  yield inner(plain);
}

function unicodeEscapes(text: string, isUpper: boolean): string {
  const units = Buffer.from(text, "utf16le").swap16().toString("hex");
  return (isUpper ? units.toUpperCase() : units).replace(/..../g, "\\u$&");
}

const HTML_NAMES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function htmlForm(secret: string): string {
  return secret.replace(/[&<>"']/g, (char) => HTML_NAMES[char] ?? char);
}
