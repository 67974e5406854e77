import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { postgres } from "@/lib/platform/postgres";

/**
 * The message that an attempt at this turn began and never finished (its process was killed): the last one in the log that belongs to no
 * stored turn. Its deltas are void.
 */
export async function findOpenMessage(run: LoadedRun): Promise<string | null> {
  const { rows } = await postgres().query<{ lines: string }>({
    name: "find-open-message",
    text: `SELECT lines FROM run_events WHERE run_id = $1 AND lines LIKE '%"type":"message.created"%' ORDER BY first_sequence DESC LIMIT 1`,
    values: [run.id],
  });
  const ids = [...(rows[0]?.lines ?? "").matchAll(/^\{"type":"message\.created".*?"message_id":"([0-9a-f-]{36})"/gm)];
  const last = ids.at(-1)?.[1];
  return last && !run.turns.some((turn) => turn.messageId === last) ? last : null;
}
