import "server-only";
import { appCrossOrigin, requireNamedOrigin } from "@/lib/api/apps/cross-origin";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { bearerKey, keyRefusal } from "@/lib/api/http/bearer-key";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { isAppHost } from "@/lib/api/http/open-hosts";
import type { ApiRequest } from "@/lib/api/http/request";
import { Router } from "@/lib/api/http/router";
import { authenticateClientToken } from "@/lib/domain/client-tokens/authenticate-client-token";
import { readClientToken } from "@/lib/domain/client-tokens/client-token";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import type { BudgetClass } from "@/lib/domain/limits/request-budgets";
import { CLIENT_TOKEN_PREFIX } from "@/lib/model/client-token";

/**
 * `/api/v1/apps`: app keys and client tokens only. Which agent they are for is checked by each
 * operation, after the request's shape (contract §1).
 */
export const appSurface: ApiSurface = {
  router: new Router(APP_OPERATIONS),
  toPath: (pathname) => pathname,
  isOpenOn: isAppHost,
  crossOrigin: appCrossOrigin,
  async authenticate(request, operation) {
    const key = bearerKey(request);
    if (key.startsWith(CLIENT_TOKEN_PREFIX)) return enterByToken(request, key, operation.budget);
    const entry = await authenticateKey(key, "app", operation.budget);
    if (!entry) throw keyRefusal(request, "app");
    return entry;
  },
};

/** @throws ServiceError AUTHENTICATION_REQUIRED, FORBIDDEN */
async function enterByToken(
  request: ApiRequest,
  token: string,
  budget: BudgetClass,
): ReturnType<ApiSurface["authenticate"]> {
  const claims = readClientToken(token);
  if (claims) requireNamedOrigin(request, claims);
  const entry = claims && (await authenticateClientToken(claims, budget));
  if (!entry) throw keyRefusal(request, "app");
  return entry;
}

const answer = (request: Request): Promise<Response> => dispatch(appSurface, request);

/** The methods of the app-scoped path's one route file. */
export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
