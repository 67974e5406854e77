import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";

interface Signing {
  secret: string;
  /** What it is signed for: a text that was signed for one thing is good for no other. */
  purpose: string;
  now?: Date;
}

/**
 * A short text with its end of validity and a signature, for what a browser keeps for us. It can be
 * read by whoever has it, and made by nobody else.
 */
export function signText(
  text: string,
  { secret, purpose, now, expiresInSeconds }: Signing & { expiresInSeconds: number },
): string {
  const expires = String(Math.ceil((now?.getTime() ?? Date.now()) / 1000) + expiresInSeconds);
  return [
    expires,
    Buffer.from(text).toString("base64url"),
    signatureOf({ expires, text }, secret, purpose),
  ].join(".");
}

const SIGNED_MAX_CHARACTERS = 4096;

/** The text that was signed with this secret for this purpose and still holds; else null. */
export function readSignedText(signed: string, signing: Signing): string | null {
  const read = readExpiredText(signed, signing);
  return read && read.expiresAt.getTime() > (signing.now?.getTime() ?? Date.now())
    ? read.text
    : null;
}

/**
 * The same, also once its validity has ended: for telling its holder so. Whoever lets somebody in
 * by it looks at the time.
 */
export function readExpiredText(
  signed: string,
  { secret, purpose }: Signing,
): { text: string; expiresAt: Date } | null {
  if (signed.length > SIGNED_MAX_CHARACTERS) return null;
  const [expires = "", encoded = "", signature = "", ...more] = signed.split(".");
  if (more.length > 0) return null;
  const text = Buffer.from(encoded, "base64url").toString();
  const given = Buffer.from(signature);
  const right = Buffer.from(signatureOf({ expires, text }, secret, purpose));
  if (given.byteLength !== right.byteLength || !timingSafeEqual(given, right)) return null;
  return { text, expiresAt: new Date(Number(expires) * 1000) };
}

function signatureOf(
  signed: { expires: string; text: string },
  secret: string,
  purpose: string,
): string {
  // An empty secret would sign for everybody.
  if (secret === "") throw new Error("SIGNING_SECRET must be set to sign a text.");
  return createHmac("sha256", secret)
    .update(`signed-text\n${JSON.stringify([purpose, signed.expires, signed.text])}`)
    .digest("base64url");
}
