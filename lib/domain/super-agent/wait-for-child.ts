import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { getRun } from "@/lib/domain/runs/get-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { CANCELLED_ERROR } from "@/lib/domain/runs/settle-run";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { env } from "@/lib/env";
import { isTerminal } from "@/lib/model/run/run-status";
import { once } from "@/lib/platform/once";
import type { ChildRun } from "@/lib/runtime/tools/super-agent/agents-port";

const WAIT_MAX_MS = 90_000;

/**
 * Waits for a child run for a minute and a half at most, and tells what became of it. While it waits, its own step holds a place of the engine, so only half
 * of the places may wait at once: the children need the others. A cancel of the super-agent's run cancels the child that it waits for.
 */
export async function waitForChild(principal: Principal, runId: string, signal: AbortSignal): Promise<ChildRun> {
  const waits = once("super-agent-waits", () => ({ count: 0 }));
  if (waits.count < Math.floor(env().WORKER_CONCURRENCY / 2)) {
    waits.count += 1;
    try {
      await followToEnd(runId, AbortSignal.any([signal, AbortSignal.timeout(WAIT_MAX_MS)]));
    } finally {
      waits.count -= 1;
    }
  }
  if (signal.aborted && signal.reason === CANCELLED_ERROR) await cancelRun(principal, runId);
  signal.throwIfAborted();
  return toChildRun(await getRun(principal, runId));
}

async function followToEnd(runId: string, signal: AbortSignal): Promise<void> {
  for await (const _lines of followRunLog(runId, { after: -1, signal })) {
    // Only the end is of interest.
  }
}

function toChildRun(run: RunView): ChildRun {
  return {
    run_id: run.id,
    status: run.status,
    ...(run.agentId && { agent_id: run.agentId }),
    ...(run.result && { text: run.result.text, ...(run.result.agent_name && { agent_name: run.result.agent_name }) }),
    ...(run.result?.data !== undefined && { data: run.result.data as ChildRun["status"] }), // stored as JSON
    ...(run.result && run.result.artifacts.length > 0 && { artifacts: run.result.artifacts.map(({ id, title }) => ({ id, title })) }),
    ...(run.error && { error: run.error.message, error_code: run.error.code }),
    ...(!isTerminal(run.status) && { note: noteFor(run) }),
  };
}

function noteFor(run: RunView): string {
  if (run.requiresAction) return "The run waits for a person's approval. Say so in your answer.";
  return "The run has not ended. Call read_run with its run_id to wait for it.";
}
