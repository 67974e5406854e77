import "server-only";
import { requireRoom } from "@/lib/domain/caps/require-room";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import type { ConversationFamily } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";
import { postgres, type Queryable } from "@/lib/platform/postgres";

/**
 * The account's conversation of this family; for an app key only one in which no other agent has run, since its messages become the model's context.
 * @throws ServiceError CONVERSATION_NOT_FOUND
 */
export async function requireConversation(principal: Principal, conversationId: string, family: ConversationFamily): Promise<void> {
  const { rowCount } = await postgres().query(
    `SELECT 1 FROM conversations c WHERE id = $1 AND account_id = $2 AND family = $3
       AND ($4::uuid IS NULL OR NOT EXISTS (SELECT 1 FROM runs WHERE conversation_id = c.id AND agent_id IS DISTINCT FROM $4))`,
    [conversationId, principal.accountId, family, principal.agentId],
  );
  if (!rowCount) throw new ServiceError("CONVERSATION_NOT_FOUND", "There is no such conversation for this kind of run.");
}

/** A new conversation that `runId` holds. Returns its id. @throws ServiceError CONFLICT when the account has its fill of them */
export async function startConversation(tx: Queryable, principal: Principal, family: ConversationFamily, runId: string): Promise<string> {
  const id = newId();
  await tx.query({
    name: "start-conversation",
    text: "INSERT INTO conversations (id, account_id, family, active_run_id, updated_at) VALUES ($1, $2, $3, $4, now())",
    values: [id, principal.accountId, family, runId],
  });
  await requireRoom(tx, principal.accountId, "conversations");
  return id;
}

/**
 * Gives a free conversation to `runId`: one run at a time, decided by this update.
 * @throws ServiceError CONVERSATION_BUSY; CONVERSATION_NOT_FOUND when it was deleted meanwhile
 */
export async function continueConversation(
  tx: Queryable,
  principal: Principal,
  conversationId: string,
  family: ConversationFamily,
  runId: string,
): Promise<string> {
  const { rows } = await tx.query<{ taken: boolean }>({
    name: "continue-conversation",
    text: `WITH taken AS (UPDATE conversations SET active_run_id = $4, updated_at = now()
             WHERE id = $1 AND account_id = $2 AND family = $3 AND active_run_id IS NULL RETURNING id)
           SELECT EXISTS (SELECT 1 FROM taken) AS taken FROM conversations WHERE id = $1 AND account_id = $2 AND family = $3`,
    values: [conversationId, principal.accountId, family, runId],
  });
  const row = rows[0];
  if (!row) throw new ServiceError("CONVERSATION_NOT_FOUND", "There is no such conversation for this kind of run.");
  if (!row.taken) throw await conversationBusy(tx, principal, conversationId);
  return conversationId;
}

/** The refusal that names the run in the way, as it is now: a statement that waited for another start still sees the conversation as it was before. */
export async function conversationBusy(tx: Queryable, principal: Principal, conversationId: string): Promise<ServiceError> {
  const { rows } = await tx.query<{ run_id: string | null }>(
    "SELECT active_run_id AS run_id FROM conversations WHERE id = $1 AND account_id = $2",
    [conversationId, principal.accountId],
  );
  const runId = rows[0]?.run_id;
  if (!runId) return new ServiceError("CONVERSATION_BUSY", "A run of this conversation has only just ended. Try again.");
  return new ServiceError("CONVERSATION_BUSY", `The run ${runId} of this conversation has not ended. Wait for it or cancel it.`, {
    run_id: runId,
  });
}
