import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { postgres } from "@/lib/platform/postgres";
import type { TodoState } from "@/lib/runtime/tools/todo-state";

/** The run's todo list as its log last showed it. */
export async function readTodo(run: LoadedRun): Promise<TodoState> {
  if (![...run.toolResults.values()].some((result) => result.name === "todo")) return { cardId: null, items: [] };
  const { rows } = await postgres().query<{ lines: string }>(
    `SELECT lines FROM run_events WHERE run_id = $1 AND lines LIKE '%"kind":"todo"%' ORDER BY first_sequence DESC LIMIT 1`,
    [run.id],
  );
  const line = (rows[0]?.lines ?? "")
    .split("\n")
    .findLast((candidate) => /^\{"type":"card\.(created|updated)"/.test(candidate) && candidate.includes('"kind":"todo"'));
  if (!line) return { cardId: null, items: [] };
  const { card } = JSON.parse(line) as { card: { card_id: string; items: TodoState["items"] } }; // our own stored line
  return { cardId: card.card_id, items: card.items };
}
