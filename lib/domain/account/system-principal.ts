import "server-only";
import type { Principal } from "@/lib/domain/principal";

/** The service itself (a run's own step, a schedule, the operator) acting for an account: no hourly cap, no access that the account's verbs do not check. */
export function systemPrincipal(accountId: string): Principal {
  return {
    accountId,
    agentId: null,
    via: "system",
    userId: null,
    isAdmin: false,
    blocked: false,
    superAgentAccess: false,
    writePerHour: null,
  };
}
