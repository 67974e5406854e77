import "server-only";
import { requireActive, requireAgent } from "@/lib/domain/agents/agent-store";
import { type ClientClaims, signClientToken } from "@/lib/domain/client-tokens/client-token";
import { requireConversation } from "@/lib/domain/conversations/take-conversation";
import { entryOf } from "@/lib/domain/let-in";
import type { Principal } from "@/lib/domain/principal";
import type { ClientPower } from "@/lib/model/client-token";
import { ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";

export interface NewClientToken {
  agentId: string;
  endUser: string;
  conversationId: string | null;
  can: readonly ClientPower[];
  origins: readonly string[];
  expiresInSeconds: number;
}

/**
 * Makes a token with which the browser of one person runs one agent. Nothing is stored: it ends by
 * its own time, and before that with the key or the session that made it, when the agent is
 * archived, or when the account is blocked or deleted.
 * @throws ServiceError AGENT_NOT_FOUND; CONFLICT when the agent is archived; ACCOUNT_BLOCKED;
 * CONVERSATION_NOT_FOUND for one that is not this person's with this agent
 */
export async function createClientToken(
  principal: Principal,
  input: NewClientToken,
): Promise<{ token: string; expiresAt: Date }> {
  const { agentId, endUser, conversationId, can, origins, expiresInSeconds } = input;
  requireActive(await requireAgent(principal, agentId));
  if (principal.blocked)
    throw new ServiceError(
      "ACCOUNT_BLOCKED",
      "This account is blocked: no client token of it would work. Ask the operator of the service.",
    );
  const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + expiresInSeconds * 1000);
  const madeBy = entryOf(principal);
  if (!madeBy) throw new Error("a client token is made by an account key or a session");
  if (conversationId !== null)
    await requireConversation(
      { ...principal, agentId, client: { endUser, conversationId, can, expiresAt, madeBy } },
      conversationId,
      "agent",
    );
  const claims: ClientClaims = {
    id: newId(),
    account: principal.accountId,
    agent: agentId,
    user: endUser,
    conversation: conversationId,
    can: [...new Set(can)],
    origins: [...new Set(origins)],
    maker: madeBy.by,
    makerId: madeBy.id,
  };
  return { token: signClientToken(claims, expiresAt), expiresAt };
}
