import "server-only";
import type { Principal } from "@/lib/domain/principal";
import type { ClientPower } from "@/lib/model/client-token";
import { ServiceError } from "@/lib/model/errors";
import { kindsThat, type RunKind } from "@/lib/model/run/run-status";

/** What the app-scoped path shows: runs that were started on it. */
export const APP_RUN_KINDS: readonly RunKind[] = kindsThat(({ onAppPath }) => onAppPath === true);

/** The same as a list of texts in a statement. */
export const APP_RUN_KINDS_IN_SQL = APP_RUN_KINDS.map((kind) => `'${kind}'`).join(", ");

/** What a client token must be good for, in the words of its refusal. */
const TO: Record<ClientPower, string> = {
  run: "start runs",
  read: "read runs",
  message: "send messages",
  cancel: "cancel runs",
  approve: "decide approvals",
};

/**
 * Lets whoever holds no client token pass, and of those who do whom it lets do this. @throws
 * ServiceError FORBIDDEN
 */
function requirePower({ client }: Principal, power: ClientPower): void {
  if (!client || client.can.includes(power)) return;
  throw new ServiceError(
    "FORBIDDEN",
    `This client token cannot ${TO[power]}: its can does not hold "${power}".`,
  );
}

/**
 * The app must be the agent that the key is for; another one answers as a missing one does. A
 * client token must be good for what is asked, too.
 * @throws ServiceError APP_NOT_FOUND, FORBIDDEN
 */
export function requireApp(principal: Principal, appId: string, power: ClientPower): void {
  if (principal.agentId !== appId)
    throw new ServiceError("APP_NOT_FOUND", "There is no such app for this key.");
  requirePower(principal, power);
}
