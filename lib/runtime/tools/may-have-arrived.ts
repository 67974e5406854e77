import "server-only";
import type { EgressFailed } from "@/lib/platform/egress/target";

/** Of a connection that never stood: nothing was sent. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
]);

/**
 * Whether what was sent may have reached its target, although no answer came: then nobody knows
 * whether it took effect.
 */
export function mayHaveArrived({ reason, cause }: EgressFailed): boolean {
  if (reason === "invalid_request") return false;
  if (reason !== "unreachable") return true;
  // Without a cause the name resolved to nothing.
  return cause instanceof Error && !("code" in cause && NEVER_CONNECTED.has(cause.code));
}
