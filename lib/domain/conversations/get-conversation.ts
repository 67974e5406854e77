import "server-only";
import { CONVERSATION_COLUMNS, type ConversationView, visibleFamilies } from "@/lib/domain/conversations/conversation-view";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";

/** The account's conversation. @throws ServiceError CONVERSATION_NOT_FOUND */
export async function getConversation(principal: Principal, conversationId: string): Promise<ConversationView> {
  const { rows } = await postgres().query<ConversationView>(
    `SELECT ${CONVERSATION_COLUMNS} FROM conversations c WHERE c.id = $1 AND c.account_id = $2 AND c.family = ANY($3)`,
    [conversationId, principal.accountId, visibleFamilies(principal)],
  );
  const [conversation] = rows;
  if (!conversation) throw new ServiceError("CONVERSATION_NOT_FOUND", "There is no such conversation.");
  return conversation;
}
