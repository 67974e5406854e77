import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";

/** Lets an admin's session pass, and nobody else: no key, and no admin of a blocked account. @throws ServiceError NOT_FOUND */
export function requireAdmin(principal: Principal): void {
  if (principal.isAdmin && principal.via === "session" && !principal.blocked) return;
  throw new ServiceError("NOT_FOUND", "There is no such route.");
}
