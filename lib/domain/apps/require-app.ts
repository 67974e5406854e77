import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import type { RunKind } from "@/lib/model/run/run-status";

/** What the app-scoped path shows: runs that were started on it. */
export const APP_RUN_KINDS: readonly RunKind[] = ["app"];

/**
 * The app must be the agent that the key is for. Another one answers as a missing one does. @throws
 * ServiceError APP_NOT_FOUND
 */
export function requireApp(principal: Principal, appId: string): void {
  if (principal.agentId !== appId)
    throw new ServiceError("APP_NOT_FOUND", "There is no such app for this key.");
}
