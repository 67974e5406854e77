import "server-only";
import type { LoadedRun, StoredTurn } from "@/lib/domain/execution/load-run";
import { isBuild } from "@/lib/domain/execution/run-limits";
import { RunFailure } from "@/lib/model/run/run-failure";

/** A tool call of a turn that has no result yet, for the engine's next steps. */
export interface PlannedCall {
  toolCallId: string;
  name: string;
}

/** What the engine does next: nothing more, or these tool calls and then another turn. */
export type TurnOutcome = { done: true } | { done: false; calls: PlannedCall[] };

/**
 * What follows from a turn; null where the run is at its end, if what it said fits.
 * @throws RunFailure AGENT_BUILD_FAILED when a builder has nothing more to offer
 */
export function nextOf(run: LoadedRun, { content }: Pick<StoredTurn, "content">): TurnOutcome | null {
  const asked = content.filter((part) => part.type === "tool-call");
  const calls = asked
    .filter((part) => !run.toolResults.has(part.toolCallId))
    .map((part) => ({ toolCallId: part.toolCallId, name: part.toolName }));
  if (asked.length > 0) return { done: false, calls };
  if (!isBuild(run)) return null;
  requireNoRejection(run);
  return { done: false, calls: [] }; // a builder that only talked is asked again, see `buildPrompt`
}

/** A builder whose change a person rejected, and that offers no other, is at its end: to press it would ask the person again. */
function requireNoRejection(run: LoadedRun): void {
  if ([...run.approvals.values()].some(({ status }) => status === "rejected"))
    throw new RunFailure("AGENT_BUILD_FAILED", "A person rejected the change that the model proposed. Nothing was stored.");
}
