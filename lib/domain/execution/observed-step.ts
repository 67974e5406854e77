import "server-only";
import { RunFailure } from "@/lib/model/run/run-failure";
import { metrics } from "@/lib/platform/metrics/metrics";
import { runStep, type TracedRun } from "@/lib/platform/telemetry/run-spans";
import type { SpanNotes } from "@/lib/platform/telemetry/telemetry";

/** Takes one turn of a run where it can be seen: a span within the run's, and its time in the metrics. */
export function observedTurn<T>(run: TracedRun, turn: number, work: (span: SpanNotes) => Promise<T>): Promise<T> {
  return observed("turn", () => runStep(run, "turn", { "lathe.turn": turn }, work));
}

/** Makes one tool call of a run likewise, by OpenTelemetry's names for tools. Neither arguments nor results are told. */
export function observedCall<T>(
  run: TracedRun,
  call: { toolCallId: string; name: string },
  work: (span: SpanNotes) => Promise<T>,
): Promise<T> {
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": call.name,
    "gen_ai.tool.call.id": call.toolCallId,
    "gen_ai.tool.type": "function",
  };
  return observed("tool", () => runStep(run, `execute_tool ${call.name}`, attributes, work));
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
