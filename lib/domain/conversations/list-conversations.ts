import "server-only";
import {
  CONVERSATION_COLUMNS,
  type ConversationView,
  visibleFamilies,
} from "@/lib/domain/conversations/conversation-view";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { ConversationFamily } from "@/lib/model/run/run-kind";
import { postgres } from "@/lib/platform/postgres";

const LIST = `
SELECT ${CONVERSATION_COLUMNS} FROM conversations c
WHERE c.account_id = $1 AND c.family = ANY($2) AND ($3::uuid IS NULL OR c.id < $3)
  AND ($5::text IS NULL OR c.end_user = $5) ORDER BY c.id DESC LIMIT $4`;

/** The account's conversations, newest first, of one family or of all, of one person or of all. */
export async function listConversations(
  principal: Principal,
  page: PageRequest,
  family: ConversationFamily | null,
  endUser: string | null = null,
): Promise<Page<ConversationView>> {
  const families = visibleFamilies(principal).filter(
    (visible) => family === null || visible === family,
  );
  const { rows } = await postgres().query<ConversationView>(LIST, [
    principal.accountId,
    families,
    readCursor(page.cursor),
    rowsToRead(page),
    endUser,
  ]);
  return toPage(rows, page.limit, (conversation) => conversation.id);
}
