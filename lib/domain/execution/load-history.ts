import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { postgres } from "@/lib/platform/postgres";

export interface HistoryMessage {
  role: "user" | "assistant";
  text: string;
}

const MESSAGES_MAX = 60;
const CHARACTERS_MAX = 120_000;

/** The conversation before this run, oldest first: the newest messages that fit into 120,000 characters, whole pairs only. */
export async function loadHistory(run: LoadedRun): Promise<HistoryMessage[]> {
  if (!run.conversationId) return [];
  const { rows } = await postgres().query<HistoryMessage>({
    name: "load-history",
    text: `SELECT m.role, left(m.text, $4) AS text FROM messages m JOIN runs r ON r.id = m.run_id
           WHERE m.conversation_id = $1 AND m.run_id < $2 AND r.status = 'completed' ORDER BY m.id DESC LIMIT $3`,
    values: [run.conversationId, run.id, MESSAGES_MAX, CHARACTERS_MAX],
  });
  const kept: HistoryMessage[] = [];
  let characters = 0;
  for (const message of rows) {
    characters += message.text.length;
    if (characters > CHARACTERS_MAX) break;
    kept.unshift(message);
  }
  if (kept[0]?.role === "assistant") kept.shift();
  return kept;
}
