import "server-only";
import { env } from "@/lib/env";
import type { EgressReach } from "./open-egress";

/** What the operator opens (`EGRESS_ALLOW`) and closes (`EGRESS_DENY`) beyond the guard's own rules: every call to an address that a user gave starts from it. */
export function operatorReach(): EgressReach {
  return { allow: env().EGRESS_ALLOW, deny: env().EGRESS_DENY };
}
