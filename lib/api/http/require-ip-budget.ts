import "server-only";
import { CLIENT_ADDRESS_HEADER } from "@/lib/api/http/client-address-header";
import { takeIpBudget } from "@/lib/api/http/ip-limit";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";

/** Counts the request against its address's budget, before anything else is done for it. @throws ServiceError RATE_LIMITED */
export function requireIpBudget(request: Request): void {
  const wait = takeIpBudget(request.headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown", env().IP_LIMIT_PER_MINUTE);
  if (wait === 0) return;
  const message = `Too many requests from this address. Try again in ${wait} seconds.`;
  throw new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": String(wait) });
}
