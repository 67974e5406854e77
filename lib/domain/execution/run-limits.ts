import "server-only";
import type { Payer } from "@/lib/domain/credits/ledger";
import type { LoadedRun, StoredTurn } from "@/lib/domain/execution/load-run";
import { isStuck } from "@/lib/domain/execution/tool-call";
import { DEFAULT_MAX_STEPS, DEFAULT_TIMEOUT_SECONDS } from "@/lib/model/limits";
import { RunFailure } from "@/lib/model/run/run-failure";
import { toMicros } from "@/lib/model/run/run-result";

export interface RunLimits {
  /** Model turns. */
  maxSteps: number;
  /** When the run's time is over; it starts with its first step, and stands still while the run waits for a person. */
  deadline: Date;
  /** The lesser of the run's and the agent's; null: only the wallet limits. */
  maxCreditsMicros: bigint | null;
}

/** Turns that a build may take in vain: what its model proposes does not fit. */
const BUILD_VAIN_STEPS_MAX = 4;
/** Turns beside those, of which something came: a draft, a guide, a try; or that were lost because others changed the agent meanwhile. */
const BUILD_USEFUL_STEPS_MAX = 16;

export function runLimits(run: LoadedRun): RunLimits {
  const limits = run.agent && isAgentRun(run) ? run.agent.config.limits : undefined;
  const seconds = limits?.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS;
  const caps = [run.maxCreditsMicros, limits?.max_credits == null ? null : toMicros(limits.max_credits)].filter((cap) => cap !== null);
  return {
    maxSteps: isBuild(run) ? buildSteps(run) : (limits?.max_steps ?? DEFAULT_MAX_STEPS),
    deadline: new Date((run.startedAt ?? new Date()).getTime() + seconds * 1000 + run.waitedMs),
    maxCreditsMicros: caps.sort((a, b) => (a < b ? -1 : 1))[0] ?? null,
  };
}

/** Whether a run's turn is the one in which it has to answer, without tools: its last of several, or the one after it went in a circle. */
export function isLastTurn(run: LoadedRun, turn: number, { maxSteps }: RunLimits): boolean {
  const before = run.turns.filter((earlier) => earlier.turn < turn);
  return !isBuild(run) && turn > 0 && (turn >= maxSteps - 1 || isStuck({ ...run, turns: before }));
}

/** @throws RunFailure STEP_LIMIT_EXCEEDED where the last turn asks for tools all the same */
export function requireAnswer(run: LoadedRun, { turn, content }: Pick<StoredTurn, "turn" | "content">, limits: RunLimits): void {
  if (content.some((part) => part.type === "tool-call") && isLastTurn(run, turn, limits)) throw stepLimit(run, limits);
}

/** What a run fails of that has taken its last turn and wants to go on. */
export function stepLimit(run: LoadedRun, { maxSteps }: Pick<RunLimits, "maxSteps">): RunFailure {
  if (isBuild(run)) {
    const what = run.kind === "agent_creation" ? "build an agent" : "work out a change of the agent";
    return new RunFailure(
      "AGENT_BUILD_FAILED",
      `The model did not ${what} from this request. Nothing was stored; say more precisely what you want.`,
    );
  }
  return run.turns.length < maxSteps
    ? new RunFailure(
        "STEP_LIMIT_EXCEEDED",
        "The model made the same call with the same result again and again, and did not answer when it was asked to.",
      )
    : new RunFailure("STEP_LIMIT_EXCEEDED", `The run took ${maxSteps} steps, its limit, without coming to an end.`);
}

/** Who pays for a run's calls. */
export function payerOf(run: LoadedRun, limits: RunLimits): Payer {
  const rootId = run.parentRunId ?? (run.kind === "super_agent" ? run.id : null);
  return { runId: run.id, accountId: run.accountId, maxMicros: limits.maxCreditsMicros, rootId };
}

function buildSteps(run: LoadedRun): number {
  const useful = run.turns.filter(({ content, agentVersionId }) => {
    const results = content.flatMap((part) => (part.type === "tool-call" ? [run.toolResults.get(part.toolCallId)] : []));
    return agentVersionId !== (run.agent?.currentVersionId ?? null) || results.some((result) => result?.succeeded);
  });
  return BUILD_VAIN_STEPS_MAX + Math.min(useful.length, BUILD_USEFUL_STEPS_MAX);
}

/** Whether the run follows an agent's own skill and config (or runs without one), rather than building or editing one. */
export function isAgentRun(run: Pick<LoadedRun, "kind">): boolean {
  return run.kind === "agent" || run.kind === "app";
}

/** Whether the run builds or edits an agent, by tools of its own. */
export function isBuild(run: Pick<LoadedRun, "kind">): boolean {
  return run.kind === "agent_creation" || run.kind === "agent_edit";
}

/** Whether a person of the account, or a program with its key, asked for the run. */
export function isAskedByOwner(run: Pick<LoadedRun, "origin">): boolean {
  return run.origin === "key" || run.origin === "session";
}

/** A tool call of a turn that has no result yet, for the engine's next steps. */
interface PlannedCall {
  toolCallId: string;
  name: string;
  /** It only reads, so it may be made together with those beside it that do too. */
  reads?: true;
}

/** What the engine does next: nothing more, or these tool calls and then another turn. */
export type TurnOutcome = { done: true } | { done: false; calls: PlannedCall[] };

/** What follows from a turn; null where the run is at its end, if what it said fits. */
export function nextOf(run: LoadedRun, { content }: Pick<StoredTurn, "content">): TurnOutcome | null {
  const asked = content.filter((part) => part.type === "tool-call");
  const calls = asked
    .filter((part) => !run.toolResults.has(part.toolCallId))
    .map((part) => ({ toolCallId: part.toolCallId, name: part.toolName }));
  return asked.length > 0 ? { done: false, calls } : null;
}
