import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * A path with its end of validity, the scope that it is good for and a signature in its query, for
 * links that work without a key until then. `path` is a pathname alone, exactly as it will arrive
 * (percent-encoded). The end is rounded up to whole seconds.
 * @param options.scope what else the link stands for, such as the account that owns the thing:
 * whoever opens the link looks within it only
 */
export function signUrl(
  path: string,
  options: { secret: string; scope: string; expiresInSeconds: number; now?: Date },
): string {
  const expires = String(
    Math.ceil((options.now?.getTime() ?? Date.now()) / 1000) + options.expiresInSeconds,
  );
  const signature = signatureOf({ path, expires, scope: options.scope }, options.secret);
  return `${path}?${new URLSearchParams({ expires, scope: options.scope, signature })}`;
}

/**
 * The scope of a URL that was signed with this secret, for this very path, and still holds; else
 * null. Other keys of the query are not covered: ignore them.
 */
export function readSignedUrl(
  url: URL,
  options: { secret: string; now?: Date },
): { scope: string } | null {
  const [expires, scope, signature] = ["expires", "scope", "signature"].map((name) =>
    onlyValue(url, name),
  );
  if (
    expires === undefined ||
    scope === undefined ||
    signature === undefined ||
    !/^[1-9]\d{0,11}$/.test(expires)
  )
    return null;
  const given = Buffer.from(signature, "utf8");
  const right = Buffer.from(
    signatureOf({ path: url.pathname, expires, scope }, options.secret),
    "utf8",
  );
  if (given.byteLength !== right.byteLength || !timingSafeEqual(given, right)) return null;
  return Number(expires) * 1000 > (options.now?.getTime() ?? Date.now()) ? { scope } : null;
}

/** A key that stands twice could be read differently by whoever looks next. */
function onlyValue(url: URL, name: string): string | undefined {
  const [value, ...more] = url.searchParams.getAll(name);
  return more.length === 0 ? value : undefined;
}

function signatureOf(
  signed: { path: string; expires: string; scope: string },
  secret: string,
): string {
  // An empty secret would sign for everybody.
  if (secret === "") throw new Error("SIGNING_SECRET must be set to sign a URL.");
  // As JSON, so that no scope can pass for a part of the path.
  return createHmac("sha256", secret)
    .update(`signed-url\n${JSON.stringify([signed.path, signed.expires, signed.scope])}`)
    .digest("base64url");
}
