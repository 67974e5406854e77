import "server-only";
import { resolveWait, type StepOutcome } from "@/lib/engine/embedded/resolve-wait";
import type { Queryable } from "@/lib/platform/postgres";

/** The id of the event by which a step of one run invokes another function; the way back is in it. */
export function invocationId(runId: string, stepId: string): string {
  return `invoke:${runId}:${stepId}`;
}

/** Hands the end of an invoked run to the step that waits for it. Does nothing for a run that nobody invoked. */
export async function answerInvocation(tx: Queryable, eventId: string, outcome: StepOutcome): Promise<void> {
  const [kind, runId, stepId] = eventId.split(":");
  if (kind === "invoke" && runId && stepId) await resolveWait(tx, runId, stepId, outcome);
}
