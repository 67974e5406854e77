import "server-only";
import { getConversation, visibleFamilies } from "@/lib/domain/conversations/conversation-view";
import { conversationBusy } from "@/lib/domain/conversations/take-conversation";
import type { Principal } from "@/lib/domain/principal";
import { postgres } from "@/lib/platform/postgres";

/**
 * Forgets a conversation with its messages. Its runs stay readable; none can continue it. One that
 * a run still holds stays: of a start and a deletion at once, one wins.
 * @throws ServiceError CONVERSATION_NOT_FOUND, CONVERSATION_BUSY
 */
export async function deleteConversation(
  principal: Principal,
  conversationId: string,
): Promise<void> {
  const { rowCount } = await postgres().query(
    `DELETE FROM conversations WHERE id = $1 AND account_id = $2 AND family = ANY($3)
       AND active_run_id IS NULL`,
    [conversationId, principal.accountId, visibleFamilies(principal)],
  );
  if (rowCount) return;
  const { activeRunId } = await getConversation(principal, conversationId);
  throw conversationBusy(activeRunId);
}
