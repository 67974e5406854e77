import type { WriteAutonomy } from "@/lib/model/write-autonomy";

/** What becomes of a tool call: it runs, it waits for a person, or it is refused. */
export type GuardVerdict = "run" | "ask" | "refuse";

/** What a call is judged by. */
export interface GuardedCall {
  /** The tool's name, and for a tool of an MCP server that server's name too: permissions may name either. */
  names: readonly string[];
  /** Whether the tool writes outside the service. */
  isGuarded: boolean;
}

const BY_AUTONOMY: Record<WriteAutonomy, GuardVerdict> = { full_auto: "run", approval_required: "ask", blocked: "refuse" };

/**
 * Judges a call by the agent's write autonomy and its permissions, of which the stricter holds: deny beats ask beats allow, and none of
 * them loosens the autonomy. Enforced where tools are dispatched; what the model was told plays no part.
 */
export function guardCall(
  call: GuardedCall,
  autonomy: WriteAutonomy,
  permissions: { ask: readonly string[]; deny: readonly string[] },
): GuardVerdict {
  const base = call.isGuarded ? BY_AUTONOMY[autonomy] : "run";
  if (base === "refuse" || call.names.some((name) => permissions.deny.includes(name))) return "refuse";
  if (base === "ask" || call.names.some((name) => permissions.ask.includes(name))) return "ask";
  return "run";
}
