import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * A path with its end of validity and a signature in its query, for links that work without a key until then. `path` is a pathname
 * alone, exactly as it will arrive (percent-encoded). The end is rounded up to whole seconds.
 */
export function signUrl(path: string, options: { secret: string; expiresInSeconds: number; now?: Date }): string {
  const expires = Math.ceil((options.now?.getTime() ?? Date.now()) / 1000) + options.expiresInSeconds;
  return `${path}?expires=${expires}&signature=${signatureOf(path, String(expires), options.secret)}`;
}

/** Whether this URL was signed with this secret, for this very path, and still holds. Other keys of the query are not covered: ignore them. */
export function isSignedUrl(url: URL, options: { secret: string; now?: Date }): boolean {
  const [expires, ...more] = url.searchParams.getAll("expires");
  const [signature, ...others] = url.searchParams.getAll("signature");
  if (expires === undefined || signature === undefined || more.length + others.length > 0 || !/^[1-9]\d{0,11}$/.test(expires)) return false;
  const given = Buffer.from(signature, "utf8");
  const right = Buffer.from(signatureOf(url.pathname, expires, options.secret), "utf8");
  if (given.byteLength !== right.byteLength || !timingSafeEqual(given, right)) return false;
  return Number(expires) * 1000 > (options.now?.getTime() ?? Date.now());
}

function signatureOf(path: string, expires: string, secret: string): string {
  // An empty secret would sign for everybody.
  if (secret === "") throw new Error("SIGNING_SECRET must be set to sign a URL.");
  return createHmac("sha256", secret).update(`signed-url\n${path}\n${expires}`).digest("base64url");
}
