import "server-only";
import { HISTORY_CHARACTERS_MAX, type HistoryMessage, type LoadedRun } from "@/lib/domain/execution/load-run";

/** The conversation before this run, oldest first: the newest messages that fit into 120,000 characters, whole pairs only. */
export function historyOf(run: LoadedRun): HistoryMessage[] {
  const kept: HistoryMessage[] = [];
  let characters = 0;
  for (const { role, text } of run.history) {
    characters += text.length;
    if (characters > HISTORY_CHARACTERS_MAX) break;
    kept.unshift({ role, text });
  }
  if (kept[0]?.role === "assistant") kept.shift();
  return kept;
}
