import "server-only";
import { type PageRequest, readCursor, toCursor } from "@/lib/domain/page";
import { postgres } from "@/lib/platform/postgres";

export interface MessageView {
  id: string;
  role: "user" | "assistant";
  text: string;
  runId: string;
  createdAt: Date;
}

/** A page ends before its texts are more than this, in bytes, but never before one message. */
const PAGE_MAX_BYTES = 4 * 1024 * 1024;

// The sizes come first, from the rows' heads: a text that is not on the page is never read.
const READ = `
WITH newest AS MATERIALIZED (
  SELECT id, row_number() OVER past AS place, sum(octet_length(text)) OVER past AS bytes
  FROM (SELECT id, text FROM messages WHERE conversation_id = $1
      AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3) last
  WINDOW past AS (ORDER BY id DESC)
)
SELECT m.id, m.role, m.text, m.run_id AS "runId", m.created_at AS "createdAt",
  (SELECT count(*) FROM newest)::int AS found
FROM newest JOIN messages m ON m.id = newest.id WHERE newest.place < $3
  AND (newest.place = 1 OR newest.bytes <= $4) ORDER BY m.id DESC`;

/**
 * The newest messages of a conversation before the cursor, in the order in which they were said;
 * the next cursor leads to the ones before them.
 * The caller has checked whose conversation it is.
 */
export async function listMessages(
  conversationId: string,
  page: PageRequest,
): Promise<{ messages: MessageView[]; nextCursor: string | null }> {
  const values = [conversationId, readCursor(page.cursor), page.limit + 1, PAGE_MAX_BYTES];
  const { rows } = await postgres().query<MessageView & { found: number }>(READ, values);
  const oldest = rows.at(-1);
  const nextCursor = oldest && oldest.found > rows.length ? toCursor(oldest.id) : null;
  return { messages: rows.toReversed(), nextCursor };
}
