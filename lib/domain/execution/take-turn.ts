import "server-only";
import { buildPrompt } from "@/lib/domain/execution/build-prompt";
import { completeRun } from "@/lib/domain/execution/complete-run";
import { type LoadedRun, loadRun, readCost, type StoredTurn } from "@/lib/domain/execution/load-run";
import { nextOf, type TurnOutcome } from "@/lib/domain/execution/next-of";
import { observedTurn } from "@/lib/domain/execution/observed-step";
import { isBuild, type RunLimits, runLimits } from "@/lib/domain/execution/run-limits";
import { speak } from "@/lib/domain/execution/speak";
import type { SpeakInput } from "@/lib/domain/execution/speak-input";
import { RunHasEnded, type RunSession, requireAtWork, withRunSession } from "@/lib/domain/execution/with-run-log";
import { openRunLog } from "@/lib/engine/events/open-run-log";
import { RunFailure } from "@/lib/model/run/run-failure";
import { failpoint } from "@/lib/platform/failpoint";

/**
 * One model turn of a run: streams it into the run's log, stores and charges it, and ends the run when the model asks for no tool.
 * Repeated after a crash it finds the stored turn and neither calls nor charges twice.
 */
export async function takeTurn(runId: string, turn: number): Promise<TurnOutcome> {
  return withRunSession(runId, { done: true } as TurnOutcome, async (session) => {
    failpoint("run.claimed");
    const run = await loadRun(runId, session.known);
    session.known = run;
    requireAtWork(run);
    return observedTurn(run, turn, () => takeLoaded(run, turn, session));
  });
}

async function takeLoaded(run: LoadedRun, turn: number, session: RunSession): Promise<TurnOutcome> {
  const limits = runLimits(run);
  const stored = run.turns.find((candidate) => candidate.turn === turn);
  if (stored) return afterTurn(run, stored, limits, session);
  if (turn >= limits.maxSteps) throw orExpired(run, stepLimit(run, limits.maxSteps));
  const { prompt, tools, toolChoice } = await buildPrompt(run, session.signal);
  return speakOrFail({ run, turn, limits, prompt, tools, toolChoice, session });
}

/** A turn that an earlier attempt of this step has stored: what follows from it. */
async function afterTurn(run: LoadedRun, taken: StoredTurn, limits: RunLimits, session: RunSession): Promise<TurnOutcome> {
  const next = nextOf(run, taken);
  if (next) return next;
  if (!session.writer) {
    session.writer = await openRunLog(run.id);
    await readCost(run);
  }
  if (!session.writer) throw new RunHasEnded();
  return (await completeRun(run, limits, session.writer)) ? { done: true } : { done: false, calls: [] };
}

function stepLimit(run: LoadedRun, maxSteps: number): RunFailure {
  if (!isBuild(run)) return new RunFailure("STEP_LIMIT_EXCEEDED", `The run took ${maxSteps} steps, its limit, without coming to an end.`);
  const what = run.kind === "agent_creation" ? "build an agent" : "work out a change of the agent";
  return new RunFailure(
    "AGENT_BUILD_FAILED",
    `The model did not ${what} from this request. Nothing was stored; say more precisely what you want.`,
  );
}

async function speakOrFail(input: SpeakInput): Promise<TurnOutcome> {
  try {
    return await speak(input);
  } catch (error) {
    throw error instanceof RunFailure && error.code === "BUDGET_EXCEEDED" ? orExpired(input.run, error) : error;
  }
}

/** Where a call of the last turn was approved by nobody in time and the run cannot go on, that is what it failed of. */
function orExpired(run: LoadedRun, obstacle: RunFailure): RunFailure {
  const expired = (run.turns.at(-1)?.content ?? []).find(
    (part) => part.type === "tool-call" && run.approvals.get(part.toolCallId)?.status === "expired",
  );
  if (expired?.type !== "tool-call") return obstacle;
  return new RunFailure(
    "APPROVAL_EXPIRED",
    `Nobody approved the call of ${expired.toolName} in time, and the run could not go on. ${obstacle.message}`,
  );
}
