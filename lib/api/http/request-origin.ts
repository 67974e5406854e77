import "server-only";
import { CLIENT_IP_HEADER } from "@/lib/api/http/client-address-header";
import type { Actor, Principal } from "@/lib/domain/principal";

/** From where a request came, for the audit log. What runs in this process without a request from outside has no address. */
export function requestOrigin(headers: Pick<Headers, "get">): Pick<Actor, "address" | "userAgent"> {
  return { address: headers.get(CLIENT_IP_HEADER), userAgent: headers.get("user-agent") };
}

/** The principal whose actor says where this request came from. */
export function withOrigin(principal: Principal, headers: Pick<Headers, "get">): Principal {
  return principal.actor ? { ...principal, actor: { ...principal.actor, ...requestOrigin(headers) } } : principal;
}
