import "server-only";
import { CONSOLE_OPERATIONS } from "@/lib/api/console/operations";
import { requireSameOrigin } from "@/lib/api/console/require-same-origin";
import { findSession } from "@/lib/api/console/session";
import type { Door } from "@/lib/api/http/dispatch";
import { Router } from "@/lib/api/http/router";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { takeSessionBudget } from "@/lib/domain/account/take-session-budget";
import { ServiceError } from "@/lib/model/errors";

const PREFIX = "/api/console";

/**
 * `/api/console`: the console's own operations, and under `/api/console/v1` every operation of `/v1`, with the session in place of a key.
 * Its requests count as those of keys do: a session is no way around the account's limits.
 * A request that changes something must come from our own pages: its `Origin` is checked beside the SameSite cookie.
 */
export const consoleDoor: Door = {
  router: new Router([...V1_OPERATIONS, ...CONSOLE_OPERATIONS]),
  toPath: (pathname) => (pathname.startsWith(`${PREFIX}/v1/`) ? pathname.slice(PREFIX.length) : pathname),
  admit(request, operation) {
    if (operation.method !== "GET") requireSameOrigin(request);
  },
  async authenticate(_request, operation) {
    const session = await findSession();
    if (!session) throw new ServiceError("AUTHENTICATION_REQUIRED", "Your session has ended. Sign in again.");
    const { budget, writePerHour } = await takeSessionBudget(session.principal.accountId, operation.budget);
    return { principal: { ...session.principal, writePerHour }, budget };
  },
};
