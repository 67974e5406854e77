import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { TurnContent } from "@/lib/runtime/models/turn-prompt";

/** A tool call of a turn that has no result yet, for the engine's next steps. */
export interface PlannedCall {
  toolCallId: string;
  name: string;
}

/** The calls of a turn that are still to be made. */
export function plannedCalls(run: LoadedRun, content: TurnContent): PlannedCall[] {
  return content
    .filter((part) => part.type === "tool-call")
    .filter((part) => !run.toolResults.has(part.toolCallId))
    .map((part) => ({ toolCallId: part.toolCallId, name: part.toolName }));
}
