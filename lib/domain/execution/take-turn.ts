import "server-only";
import { buildPrompt } from "@/lib/domain/execution/build-prompt";
import { completeRun } from "@/lib/domain/execution/complete-run";
import { type LoadedRun, loadRun, type StoredTurn } from "@/lib/domain/execution/load-run";
import { type PlannedCall, plannedCalls } from "@/lib/domain/execution/planned-calls";
import { isBuild, runLimits } from "@/lib/domain/execution/run-limits";
import { speak } from "@/lib/domain/execution/speak";
import type { SpeakInput } from "@/lib/domain/execution/speak-input";
import { withRunLog } from "@/lib/domain/execution/with-run-log";
import { RunFailure } from "@/lib/model/run/run-failure";
import { postgres } from "@/lib/platform/postgres";

/** What the engine does next: nothing more, or these tool calls and then another turn. */
export type TurnOutcome = { done: true } | { done: false; calls: PlannedCall[] };

/**
 * One model turn of a run: streams it into the run's log, stores and charges it, and ends the run when the model asks for no tool.
 * Repeated after a crash it finds the stored turn and neither calls nor charges twice.
 */
export async function takeTurn(runId: string, turn: number): Promise<TurnOutcome> {
  return withRunLog(runId, { done: true } as TurnOutcome, async (step) => {
    const run = await startedRun(runId);
    if (!run) return { done: true };
    const limits = runLimits(run);
    const stored = run.turns.find((candidate) => candidate.turn === turn);
    if (!stored && turn >= limits.maxSteps) throw orExpired(run, stepLimit(run, limits.maxSteps));
    const { prompt, tools, toolChoice } = await buildPrompt(run, step.signal);
    const taken = stored ?? (await speakOrFail({ run, turn, limits, prompt, tools, toolChoice, step }));
    const calls = plannedCalls(run, taken.content);
    if (calls.length > 0 || taken.content.some((part) => part.type === "tool-call")) return { done: false, calls };
    if (isBuild(run)) {
      requireNoRejection(run);
      return { done: false, calls: [] }; // a builder that only talked is asked again, see `buildPrompt`
    }
    const finished = await completeRun({ ...run, turns: stored ? run.turns : [...run.turns, taken] }, limits, step);
    return finished ? { done: true } : { done: false, calls: [] };
  });
}

/** The run, moved to `running` by its first step; null when it has ended. */
async function startedRun(runId: string): Promise<LoadedRun | null> {
  const moved = await postgres().query<{ started_at: Date }>({
    name: "start-run",
    text: "UPDATE runs SET status = 'running', started_at = now() WHERE id = $1 AND status = 'pending' RETURNING started_at",
    values: [runId],
  });
  const run = await loadRun(runId);
  if (run.status !== "running") return null;
  return { ...run, startedAt: moved.rows[0]?.started_at ?? run.startedAt };
}

/** A builder whose change a person rejected, and that offers no other, is at its end: to press it would ask the person again. */
function requireNoRejection(run: LoadedRun): void {
  if ([...run.approvals.values()].some(({ status }) => status === "rejected"))
    throw new RunFailure("AGENT_BUILD_FAILED", "A person rejected the change that the model proposed. Nothing was stored.");
}

function stepLimit(run: LoadedRun, maxSteps: number): RunFailure {
  if (!isBuild(run)) return new RunFailure("STEP_LIMIT_EXCEEDED", `The run took ${maxSteps} steps, its limit, without coming to an end.`);
  const what = run.kind === "agent_creation" ? "build an agent" : "work out a change of the agent";
  return new RunFailure(
    "AGENT_BUILD_FAILED",
    `The model did not ${what} from this request. Nothing was stored; say more precisely what you want.`,
  );
}

async function speakOrFail(input: SpeakInput): Promise<StoredTurn> {
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
