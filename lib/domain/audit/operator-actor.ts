import "server-only";
import { hostname, userInfo } from "node:os";
import type { Actor } from "@/lib/domain/principal";

/** Who types the operator's command, as far as the machine knows. */
export function operatorActor(): Actor {
  return { kind: "operator", id: null, label: `${userName()}@${hostname()}`, address: null, userAgent: null };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown"; // the user of a container may have no name
  }
}
