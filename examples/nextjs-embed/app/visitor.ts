import { createHmac, timingSafeEqual } from "node:crypto";

const COOKIE = "asked";
const KEPT_SECONDS = 3600;

/**
 * Only this server can make it, for it needs the app key. Of a product of your own: use the session
 * that you have.
 */
function sign(runId: string): string {
  return createHmac("sha256", process.env.LATHE_APP_KEY ?? "")
    .update(`visitor:${runId}`)
    .digest("base64url");
}

/**
 * A cookie that says which run this visitor started: a run's id alone, which may stand in a log or
 * a link, shows nobody its answer.
 */
export function cookieFor(runId: string): string {
  return (
    `${COOKIE}=${runId}.${sign(runId)}; Path=/api/ask; Max-Age=${KEPT_SECONDS}; HttpOnly; ` +
    "SameSite=Strict; Secure"
  );
}

/** Whether the request comes from the visitor who started the run. */
export function isFromVisitorOf(runId: string, request: Request): boolean {
  const expected = Buffer.from(`${COOKIE}=${runId}.${sign(runId)}`);
  const cookies = (request.headers.get("cookie") ?? "")
    .split(";")
    .map((cookie) => Buffer.from(cookie.trim()));
  return cookies.some(
    (cookie) => cookie.length === expected.length && timingSafeEqual(cookie, expected),
  );
}
