import "server-only";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { bearerKey, keyRefusal } from "@/lib/api/http/bearer-key";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { isAppHost } from "@/lib/api/http/open-hosts";
import { Router } from "@/lib/api/http/router";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";

/**
 * `/api/v1/apps`: app keys only. Which agent the key is for is checked by each operation, after the
 * request's shape (contract §1).
 */
export const appSurface: ApiSurface = {
  router: new Router(APP_OPERATIONS),
  toPath: (pathname) => pathname,
  isOpenOn: isAppHost,
  async authenticate(request, operation) {
    const entry = await authenticateKey(bearerKey(request), "app", operation.budget);
    if (!entry) throw keyRefusal(request, "app");
    return entry;
  },
};

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
