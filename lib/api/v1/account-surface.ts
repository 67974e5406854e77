import "server-only";
import { bearerKey, keyRefusal } from "@/lib/api/http/bearer-key";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { isAccountHost } from "@/lib/api/http/open-hosts";
import type { Operation } from "@/lib/api/http/operation";
import { Router } from "@/lib/api/http/router";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";

/** `/v1`: account keys only. */
export const accountSurface: ApiSurface = {
  router: new Router(V1_OPERATIONS),
  toPath: (pathname) => pathname,
  isOpenOn: isAccountHost,
  async authenticate(request, operation) {
    const entry = await authenticateKey(bearerKey(request), "account", operation.budget);
    if (!entry) throw keyRefusal(request, "account");
    return entry;
  },
};

type RouteHandler = (request: Request) => Promise<Response>;

/**
 * The methods of a route file of `/v1` that serves these operations: one dispatcher finds the
 * operation, so that every answer, 404 and 405 too, is the contract's.
 */
export function routesOf(operations: readonly Operation[]) {
  const surface = { ...accountSurface, router: new Router(operations) };
  const answer: RouteHandler = (request) => dispatch(surface, request);
  return {
    DELETE: answer,
    GET: answer,
    HEAD: answer,
    OPTIONS: answer,
    PATCH: answer,
    POST: answer,
    PUT: answer,
  };
}
