import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { postgres } from "@/lib/platform/postgres";
import { estimateMicros } from "@/lib/runtime/models/estimate-micros";

const MESSAGES_MAX = 60;
const CHARACTERS_MAX = 120_000;

/**
 * What a run reserves when it starts, in millionths of a credit: what its first turn costs at least, the conversation that it continues included.
 * @param texts what its prompt is made of beside what every run is told
 */
export async function estimateRun(
  principal: Principal,
  modelId: string,
  texts: readonly string[],
  conversationId: string | null,
): Promise<bigint> {
  const history = conversationId ? await readHistory(principal, conversationId) : "";
  return estimateMicros(modelId, [...texts, history].join("\n"), env());
}

/** As much of a conversation as a run's prompt carries. A stranger's is empty here: not even its length may show in what a run needs. */
async function readHistory(principal: Principal, conversationId: string): Promise<string> {
  const { rows } = await postgres().query<{ text: string }>({
    name: "estimate-history",
    text: `SELECT left(m.text, $3) AS text FROM messages m JOIN conversations c ON c.id = m.conversation_id
           WHERE m.conversation_id = $1 AND c.account_id = $4 ORDER BY m.id DESC LIMIT $2`,
    values: [conversationId, MESSAGES_MAX, CHARACTERS_MAX, principal.accountId],
  });
  return rows
    .map(({ text }) => text)
    .join("\n")
    .slice(0, CHARACTERS_MAX);
}
