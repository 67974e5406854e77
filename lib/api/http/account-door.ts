import "server-only";
import { bearerKey, keyRefusal } from "@/lib/api/http/bearer-key";
import type { Door } from "@/lib/api/http/dispatch";
import { isOwnHost } from "@/lib/api/http/is-own-host";
import { Router } from "@/lib/api/http/router";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { env } from "@/lib/env";

/** `/v1`: account keys only. */
export const accountDoor: Door = {
  router: new Router(V1_OPERATIONS),
  toPath: (pathname) => pathname,
  isOpenOn: (host) => isOwnHost(host, env().API_BASE_HOST, env().APP_BASE_HOST),
  async authenticate(request, operation) {
    const entry = await authenticateKey(bearerKey(request), "account", operation.budget);
    if (!entry) throw keyRefusal(request, "account");
    return entry;
  },
};
