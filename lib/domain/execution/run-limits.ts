import "server-only";
import type { Payer } from "@/lib/domain/credits/cover-call";
import { isAgentChangedOutput } from "@/lib/domain/execution/agent-changed-result";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { DEFAULT_MAX_STEPS, DEFAULT_TIMEOUT_SECONDS } from "@/lib/model/limits";
import { toMicros } from "@/lib/model/run/usage";

export interface RunLimits {
  /** Model turns. */
  maxSteps: number;
  /** When the run's time is over; it starts with its first step, and stands still while the run waits for a person. */
  deadline: Date;
  /** The lesser of the run's and the agent's; null: only the wallet limits. */
  maxCreditsMicros: bigint | null;
}

const BUILD_MAX_STEPS = 4;
/** Turns that an edit may have again because others changed the agent meanwhile. */
const REPEATED_MAX_STEPS = 16;

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

/** Who pays for a run's calls. */
export function payerOf(run: LoadedRun, limits: RunLimits): Payer {
  const rootId = run.parentRunId ?? (run.kind === "super_agent" ? run.id : null);
  return { runId: run.id, accountId: run.accountId, maxMicros: limits.maxCreditsMicros, rootId };
}

/** A turn that was lost because the agent had changed is none of the model's failures. */
function buildSteps(run: LoadedRun): number {
  const repeated = [...run.toolResults.values()].filter(({ output }) => isAgentChangedOutput(output)).length;
  return BUILD_MAX_STEPS + Math.min(repeated, REPEATED_MAX_STEPS);
}

/** Whether the run follows an agent's own skill and config (or runs without one), rather than building or editing one. */
export function isAgentRun(run: Pick<LoadedRun, "kind">): boolean {
  return run.kind === "agent" || run.kind === "app";
}

/** Whether the run builds or edits an agent by one strictly typed tool. */
export function isBuild(run: Pick<LoadedRun, "kind">): boolean {
  return run.kind === "agent_creation" || run.kind === "agent_edit";
}
