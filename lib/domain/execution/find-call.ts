import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { ToolCall } from "@/lib/domain/execution/tool-call";
import { RunFailure } from "@/lib/model/run/run-failure";

/** A tool call as the model asked for it in one of the run's turns. @throws RunFailure when it is not there */
export function findCall(run: LoadedRun, turn: number, toolCallId: string): ToolCall {
  const content = run.turns.find((candidate) => candidate.turn === turn)?.content ?? [];
  const part = content.find((candidate) => candidate.type === "tool-call" && candidate.toolCallId === toolCallId);
  if (part?.type !== "tool-call") throw new RunFailure("EXECUTION_FAILED", "A tool call of the run is lost.");
  return { toolCallId, name: part.toolName, input: part.input };
}
