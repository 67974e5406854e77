import "server-only";

/** A call that a model asked for in one of a run's turns. */
export interface ToolCall {
  toolCallId: string;
  name: string;
  input: unknown;
  /** The engine has waited for what the call waits for, for as long as it may. */
  isResumed?: boolean;
}

export interface ToolResult {
  succeeded: boolean;
  /** What the model sees. */
  output: unknown;
}
