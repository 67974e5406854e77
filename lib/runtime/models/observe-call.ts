import "server-only";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics/metrics";
import type { TurnUsage } from "@/lib/runtime/models/read-turn";
import type { ModelCallProblem } from "@/lib/runtime/models/to-model-call-problem";

/** What one call of a model tells of itself as it goes. */
export interface CallNotes {
  /** The first text or thought has come; said once. */
  firstToken(): void;
  /** How it ended: whole, broken off by us, or failed. */
  end(outcome: { usage: TurnUsage; finishReason: string } | { usage: TurnUsage; aborted: true } | ModelCallProblem): void;
}

interface CalledModel {
  /** `provider/name`. */
  id: string;
  runId: string | null;
}

/** Makes one call of a model visible: in the metrics, and in the log where it failed. Its span is sent with its run's others. */
export function observeCall<T>(model: CalledModel, call: (notes: CallNotes) => Promise<T>): Promise<T> {
  const { id } = model;
  const startedAt = performance.now();
  return call({
    firstToken() {
      metrics()?.firstTokens.observe({ model: id }, secondsSince(startedAt));
    },
    end(outcome) {
      const label = "code" in outcome ? outcome.code : "aborted" in outcome ? "aborted" : "ok";
      metrics()?.modelCalls.observe({ model: id, outcome: label }, secondsSince(startedAt));
      if ("code" in outcome) tellFailure(outcome, model);
      else countTokens(outcome.usage, id);
    },
  });
}

function tellFailure({ code, message, cause, retryable }: ModelCallProblem, { id, runId }: CalledModel): void {
  log.warn({ model: id, ...(runId !== null && { run_id: runId }), code, cause, retryable, reason: message }, "a model call failed");
}

function countTokens({ inputTokens, outputTokens, cachedInputTokens }: TurnUsage, model: string): void {
  const made = metrics();
  if (made === null) return;
  made.tokens.inc({ model, direction: "input" }, inputTokens);
  made.tokens.inc({ model, direction: "cached_input" }, cachedInputTokens);
  made.tokens.inc({ model, direction: "output" }, outputTokens);
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
