import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";

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

/**
 * What a model is told that makes the same call, which gave the same result, for the third time in
 * a row.
 */
const REPEATED_OUTPUT = {
  error:
    "This is the same call with the same arguments again, and it gave the same result each time. It was not made. Use what you have, try something else, or answer.",
};
/** So often a call is made. */
const SAME_CALLS_MAX = 2;

/**
 * What a call is answered in place of being made again; null where it is not the third of its kind
 * in a row. What waits for others may ask as often as it likes.
 */
export function repeatedResult(
  run: Pick<LoadedRun, "turns" | "toolResults" | "kind">,
  call: ToolCall,
): ToolResult | null {
  if (run.kind === "super_agent") return null;
  const calls = callsOf(run);
  const before = calls.slice(
    0,
    calls.findIndex(({ toolCallId }) => toolCallId === call.toolCallId),
  );
  const key = keyOf(call);
  const others = before.findLastIndex((other) => keyOf(other) !== key);
  const outputs = before
    .slice(others + 1)
    .map(({ toolCallId }) => JSON.stringify(run.toolResults.get(toolCallId)?.output));
  const made = outputs.filter(
    (output) => output !== undefined && output !== JSON.stringify(REPEATED_OUTPUT),
  );
  return made.length >= SAME_CALLS_MAX && new Set(made).size === 1
    ? { succeeded: false, status: "refused", output: REPEATED_OUTPUT }
    : null;
}

/** Whether a model was told that it repeats itself, and did so again. */
export function isStuck(run: Pick<LoadedRun, "turns" | "toolResults">): boolean {
  const last = callsOf(run).slice(-2);
  const told = last.filter(
    ({ toolCallId }) =>
      JSON.stringify(run.toolResults.get(toolCallId)?.output) === JSON.stringify(REPEATED_OUTPUT),
  );
  return told.length === 2;
}

function callsOf({ turns }: Pick<LoadedRun, "turns">): ToolCall[] {
  return turns.flatMap(({ content }) =>
    content.flatMap((part) =>
      part.type === "tool-call"
        ? [{ toolCallId: part.toolCallId, name: part.toolName, input: part.input }]
        : [],
    ),
  );
}

function keyOf({ name, input }: ToolCall): string {
  return JSON.stringify([name, input]);
}
