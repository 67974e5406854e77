import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { CONVERSATION_FIELDS } from "@/lib/model/conversation/conversation-fields";
import { ServiceError } from "@/lib/model/errors";
import { type RowOf, selectList } from "@/lib/model/fields/field-table";
import { CONVERSATION_TITLE_MAX_CHARACTERS } from "@/lib/model/limits";
import { CONVERSATION_FAMILIES, type ConversationFamily } from "@/lib/model/run/run-kind";
import { postgres } from "@/lib/platform/postgres";

/** A conversation as verbs hand it out. */
export type ConversationView = RowOf<typeof CONVERSATION_FIELDS>;

const TITLE = `coalesce((SELECT left(regexp_replace(left(m.text, 1000), '\\s+', ' ', 'g'),
        ${CONVERSATION_TITLE_MAX_CHARACTERS}) FROM messages m WHERE m.conversation_id = c.id
      ORDER BY m.id LIMIT 1), '')`;

/** The columns of a conversation `c`. */
export const CONVERSATION_COLUMNS = selectList(CONVERSATION_FIELDS, "c", { title: TITLE });

/**
 * The families that a principal may see: the super-agent's conversations are behind the same
 * allowlist as its runs.
 */
export function visibleFamilies(principal: Principal): ConversationFamily[] {
  return CONVERSATION_FAMILIES.filter(
    (family) => family !== "super_agent" || principal.superAgentAccess,
  );
}

/** The account's conversation. @throws ServiceError CONVERSATION_NOT_FOUND */
export async function getConversation(
  principal: Principal,
  conversationId: string,
): Promise<ConversationView> {
  const { rows } = await postgres().query<ConversationView>(
    `SELECT ${CONVERSATION_COLUMNS} FROM conversations c WHERE c.id = $1 AND c.account_id = $2
       AND c.family = ANY($3)`,
    [conversationId, principal.accountId, visibleFamilies(principal)],
  );
  const [conversation] = rows;
  if (!conversation)
    throw new ServiceError("CONVERSATION_NOT_FOUND", "There is no such conversation.");
  return conversation;
}
