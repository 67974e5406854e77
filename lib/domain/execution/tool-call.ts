import "server-only";

/** A call that a model asked for in one of a run's turns. */
export interface ToolCall {
  toolCallId: string;
  name: string;
  input: unknown;
}

export interface ToolResult {
  succeeded: boolean;
  /** What the model sees. */
  output: unknown;
}
