import type { ToolResult } from "@/lib/domain/execution/tools/tool-call";
import type { ApprovalQuestion } from "@/lib/model/approval/approval";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";

/**
 * What becomes of a tool call: it runs, a person is asked first, or the model is answered without
 * running anything.
 */
export type ToolCallDecision =
  | { action: "run"; tool: RuntimeTool }
  /** What the run's program carries out itself, and what needs no further word. */
  | { action: "own" }
  | { action: "ask"; question: ApprovalQuestion }
  /** `tool`: which one would have run; absent where there is none, or a person was asked. */
  | { action: "answer"; result: ToolResult; tool?: RuntimeTool };

/** A decision by which the call goes on at once. */
export type SettledDecision = Exclude<ToolCallDecision, { action: "ask" }>;

/** What the model is told in place of a result. */
export function answer(error: string): Extract<ToolCallDecision, { action: "answer" }> {
  return { action: "answer", result: { succeeded: false, output: { error } } };
}

/** What it is told where a person, or the agent's settings, did not let the call be made. */
export function refuse(
  error: string,
  tool?: RuntimeTool,
): Extract<ToolCallDecision, { action: "answer" }> {
  const result = { succeeded: false, status: "refused", output: { error } } as const;
  return { action: "answer", result, ...(tool && { tool }) };
}
