import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { clientValues, endUserOf } from "@/lib/domain/seen-by-client";
import { ServiceError } from "@/lib/model/errors";
import type { ConversationFamily } from "@/lib/model/run/run-kind";
import { postgres } from "@/lib/platform/postgres";

/**
 * The account's conversation of this family, and whose it is: another person's is not there. For an
 * app key only one in which no other agent has run, since its messages become the model's context,
 * and for a client token one in which runs of its own person alone have been.
 * @param endUser for whom the run is that is to continue it; null: nobody says
 * @throws ServiceError CONVERSATION_NOT_FOUND
 */
export async function requireConversation(
  principal: Principal,
  conversationId: string,
  family: ConversationFamily,
  endUser: string | null = null,
): Promise<{ endUser: string | null }> {
  const { rows } = await postgres().query<{ endUser: string | null }>(
    `SELECT c.end_user AS "endUser" FROM conversations c WHERE id = $1 AND account_id = $2
       AND family = $3
       AND ($4::uuid IS NULL OR NOT EXISTS (SELECT 1 FROM runs WHERE conversation_id = c.id
             AND agent_id IS DISTINCT FROM $4))
       AND ($5::text IS NULL OR (EXISTS (SELECT 1 FROM runs WHERE conversation_id = c.id)
         AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.conversation_id = c.id
             AND ${endUserOf("r")} IS DISTINCT FROM $5)))
       AND ($6::uuid IS NULL OR c.id = $6)
       AND ($7::text IS NULL OR c.end_user IS NULL OR c.end_user = $7)`,
    [
      conversationId,
      principal.accountId,
      family,
      principal.agentId,
      ...clientValues(principal),
      endUser,
    ],
  );
  const [conversation] = rows;
  if (!conversation) throw noSuchConversation();
  return conversation;
}

export function noSuchConversation(): ServiceError {
  return new ServiceError(
    "CONVERSATION_NOT_FOUND",
    "There is no such conversation for this kind of run.",
  );
}

/** The refusal that names the run in the way; null: it has ended meanwhile. */
export function conversationBusy(runId: string | null): ServiceError {
  if (!runId)
    return new ServiceError(
      "CONVERSATION_BUSY",
      "A run of this conversation has only just ended. Try again.",
    );
  return new ServiceError(
    "CONVERSATION_BUSY",
    `The run ${runId} of this conversation has not ended. Wait for it or cancel it.`,
    {
      run_id: runId,
    },
  );
}
