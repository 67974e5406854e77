import "server-only";
import { RunFailure } from "@/lib/model/run/run-failure";

/**
 * A run that has cost more than it may ends here, even when the dear turn was its last: an answer that broke the caller's own
 * budget is no success. What was used stays charged. Null: the run has no budget.
 * @throws RunFailure BUDGET_EXCEEDED
 */
export function requireRunBudget(spentMicros: bigint, maxMicros: bigint | null): void {
  if (maxMicros === null || spentMicros <= maxMicros) return;
  throw new RunFailure("BUDGET_EXCEEDED", "The run has cost more credits than it was given.");
}
