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
  /** Of what did not succeed: it was not made, or nobody knows whether it took effect. */
  status?: "refused" | "unknown";
  /** What the model sees. */
  output: unknown;
}

/**
 * JSON that Postgres takes: without NUL characters and lone surrogates, which a model's or a tool's
 * texts may hold.
 */
export function toStorableJson(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  // An escaped backslash before a `u` is no escape of a character: the pairs are passed over.
  return text.replace(/\\\\|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, (found) =>
    found === "\\\\" ? found : "\\ufffd",
  );
}
