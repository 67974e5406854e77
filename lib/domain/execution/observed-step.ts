import "server-only";
import { RunFailure } from "@/lib/model/run/run-failure";
import { metrics } from "@/lib/platform/metrics/metrics";
import { type TracedRun, withinTraceSpan } from "@/lib/platform/telemetry/run-spans";

/** Takes one turn of a run, its time in the metrics. Its span is sent with the run's others, made of what it has stored. */
export function observedTurn<T>(work: () => Promise<T>): Promise<T> {
  return observed("turn", work);
}

/** Makes one tool call of a run likewise; a run that it starts joins the trace below it. */
export function observedCall<T>(run: TracedRun, toolCallId: string, work: () => Promise<T>): Promise<T> {
  return observed("tool", () => withinTraceSpan(run, `tool-${toolCallId}`, work));
}

async function observed<T>(step: "turn" | "tool", work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const tell = (outcome: string) => metrics()?.steps.observe({ step, outcome }, (performance.now() - startedAt) / 1000);
  try {
    const result = await work();
    tell("ok");
    return result;
  } catch (error) {
    // A `RunFailure` is an end that the run comes to; whatever else is thrown is tried again by the engine.
    tell(error instanceof RunFailure ? "failed" : "error");
    throw error;
  }
}
