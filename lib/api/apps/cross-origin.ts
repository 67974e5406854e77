import "server-only";
import { bearerKey } from "@/lib/api/http/bearer-key";
import type { CrossOrigin } from "@/lib/api/http/dispatch";
import type { ApiRequest } from "@/lib/api/http/request";
import { readClientToken, type SignedClaims } from "@/lib/domain/client-tokens/client-token";
import { ServiceError } from "@/lib/model/errors";

const PREFLIGHT_SECONDS = 7_200;
const ASKED_HEADERS = "Authorization, Content-Type, Idempotency-Key, X-Request-Id";
const SHOWN_HEADERS =
  "X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Location, Idempotency-Replayed";

/**
 * Pages of other origins, on the app-scoped path. A browser asks without the token, and tokens are
 * stored nowhere, so which origins one names cannot be known then: every origin is told the same,
 * that it may ask, which says nothing of any app or token. The request itself carries the token,
 * and is refused, before anything else is looked at, from an origin that the token does not name;
 * its answer, too, can be read by the named ones alone. Cookies have no part in it: credentials are
 * never allowed.
 */
export const appCrossOrigin: CrossOrigin = {
  preflight(request, methods) {
    const origin = originOf(request);
    if (origin === null || request.headers.get("access-control-request-method") === null)
      return null;
    return {
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
      "access-control-allow-origin": origin,
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": ASKED_HEADERS,
      "access-control-max-age": String(PREFLIGHT_SECONDS),
    };
  },
  headers(request) {
    const origin = originOf(request);
    // Of a token whose time is over, too: its page is to read that it needs another.
    const claims = origin === null ? null : readClientToken(bearerKey(request));
    return {
      vary: "Origin",
      ...(origin !== null &&
        claims?.origins.includes(origin) && {
          "access-control-allow-origin": origin,
          "access-control-expose-headers": SHOWN_HEADERS,
        }),
    };
  },
};

/**
 * A browser names the page's origin in each such request. Whoever is no browser may leave it out,
 * or write what they like: for them it is no bound, and is taken for none.
 * @throws ServiceError FORBIDDEN
 */
export function requireNamedOrigin(request: ApiRequest, claims: SignedClaims): void {
  const origin = originOf(request);
  if (origin === null || claims.origins.includes(origin)) return;
  throw new ServiceError(
    "FORBIDDEN",
    "This client token is not for pages of this origin: its origins do not hold it.",
  );
}

const originOf = (request: ApiRequest): string | null => request.headers.get("origin");
