import "server-only";
import type { LoadedRun, RunLimits } from "@/lib/domain/execution/run/loaded-run";
import { callsOf, type StoredTurn } from "@/lib/domain/execution/run/transcript";
import type { TurnOutcome } from "@/lib/domain/execution/turn/outcomes";
import { isLastTurn } from "@/lib/domain/execution/turn/run-limits";
import { MessagesWait } from "@/lib/domain/runs/settle-run";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { RunFailure } from "@/lib/model/run/run-failure";

/** What follows from a turn. */
export type Follows =
  /** Its calls, or another turn. */
  | { is: "next"; outcome: TurnOutcome }
  /** The run's program ends it. */
  | { is: "end" }
  | { is: "failed"; failure: RunFailure };

/**
 * What follows from the turn that a run has taken last.
 * @param readers names of the tools that change nothing
 */
export function followsFrom(
  run: LoadedRun,
  taken: StoredTurn,
  limits: RunLimits,
  readers: ReadonlySet<string>,
): Follows {
  try {
    requireAnswer(run, taken, limits);
    const next = nextOf(run, taken, readers);
    if (next) return { is: "next", outcome: next };
    return run.program.conclude(run, limits) === "end"
      ? { is: "end" }
      : { is: "next", outcome: GO_ON };
  } catch (error) {
    if (error instanceof RunFailure) return { is: "failed", failure: error };
    throw error;
  }
}

/** Another turn, without calls before it. */
export const GO_ON: TurnOutcome = { done: false, calls: [] };

/**
 * Ends a run whose last turn is stored and asked for no tool; where somebody has said something
 * meanwhile, it takes another turn.
 * @throws as the program's `end`
 */
export async function endOrGoOn(
  run: LoadedRun,
  limits: RunLimits,
  writer: RunLogWriter,
): Promise<TurnOutcome> {
  try {
    return await run.program.end(run, limits, writer, null);
  } catch (error) {
    if (error instanceof MessagesWait) return GO_ON;
    throw error;
  }
}

/** @throws RunFailure STEP_LIMIT_EXCEEDED where the last turn asks for tools all the same */
export function requireAnswer(
  run: LoadedRun,
  { turn, content }: Pick<StoredTurn, "turn" | "content">,
  limits: RunLimits,
): void {
  if (content.some((part) => part.type === "tool-call") && isLastTurn(run, turn, limits))
    throw run.program.stepLimit(run, limits.maxSteps);
}

/** A turn's calls that have no result yet; null where it asked for none. */
export function nextOf(
  run: LoadedRun,
  { content }: Pick<StoredTurn, "content">,
  readers: ReadonlySet<string> = new Set(),
): TurnOutcome | null {
  if (callsOf({ content }).length === 0) return null;
  const calls = run.transcript.openCalls({ content }).map(({ toolCallId, name }) => ({
    toolCallId,
    name,
    ...(readers.has(name) && { reads: true as const }),
  }));
  return { done: false, calls };
}
