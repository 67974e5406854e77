import "server-only";
import { ServiceError } from "@/lib/model/errors";

/** @throws ServiceError AUTHENTICATION_REQUIRED for a request that another site made the browser send */
export function requireSameOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  const host = request.headers.get("host");
  if (origin && host && URL.canParse(origin) && new URL(origin).host === host) return;
  throw new ServiceError("AUTHENTICATION_REQUIRED", "This request did not come from the console's own pages.");
}
