import "server-only";
import type { LoadedRun, RunLimits } from "@/lib/domain/execution/run/loaded-run";
import { DEFAULT_TIMEOUT_SECONDS } from "@/lib/model/limits";
import { toMicros } from "@/lib/model/run/run-result";

export function runLimits(run: LoadedRun): RunLimits {
  const limits = run.program.config(run)?.limits;
  const seconds = limits?.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS;
  const agentMaxMicros = limits?.max_credits == null ? null : toMicros(limits.max_credits);
  const waitsForCredits = (run.onBudget ?? limits?.on_budget) === "wait";
  return {
    maxSteps: stepsOf(run),
    deadline: new Date((run.startedAt ?? new Date()).getTime() + seconds * 1000 + run.waitedMs),
    maxCreditsMicros: creditLimit(run, agentMaxMicros, waitsForCredits),
    agentMaxMicros,
    waitsForCredits,
  };
}

/** What `budget_lack` goes by too: the two must not differ. */
function creditLimit(
  { maxCreditsMicros, isMaxRaised, parentRunId }: LoadedRun,
  agentMaxMicros: bigint | null,
  waitsForCredits: boolean,
): bigint | null {
  if (isMaxRaised) return maxCreditsMicros;
  // Of a child that waits the limit of its super-agent's run holds, which can be raised, and not
  // what was left of that as the child began.
  const own = parentRunId !== null && waitsForCredits ? null : maxCreditsMicros;
  if (own === null || agentMaxMicros === null) return own ?? agentMaxMicros;
  return own < agentMaxMicros ? own : agentMaxMicros;
}

/** What is said while a run takes its last turn gives it one more to answer. */
function stepsOf(run: LoadedRun): number {
  const own = run.program.maxSteps(run);
  const late = run.transcript.messages.filter(({ turn }) => turn >= own);
  return own + new Set(late.map(({ turn }) => turn)).size;
}

/**
 * Whether a run's turn is the one in which it has to answer, without tools: its last of several, or
 * the one after it went in a circle.
 */
export function isLastTurn(run: LoadedRun, turn: number, { maxSteps }: RunLimits): boolean {
  return (
    run.program.answersLast &&
    turn > 0 &&
    (turn >= maxSteps - 1 || run.transcript.isStuckBefore(turn))
  );
}
