import "server-only";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { bearerKey, keyRefusal } from "@/lib/api/http/bearer-key";
import type { Door } from "@/lib/api/http/dispatch";
import { isOwnHost } from "@/lib/api/http/is-own-host";
import { Router } from "@/lib/api/http/router";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { env } from "@/lib/env";

/** `/api/v1/apps`: app keys only. Which agent the key is for is checked by each operation, after the request's shape (contract §1). */
export const appDoor: Door = {
  router: new Router(APP_OPERATIONS),
  toPath: (pathname) => pathname,
  isOpenOn: (host) => isOwnHost(host, env().APP_BASE_HOST, env().API_BASE_HOST),
  async authenticate(request, operation) {
    const entry = await authenticateKey(bearerKey(request), "app", operation.budget);
    if (!entry) throw keyRefusal(request, "app");
    return entry;
  },
};
