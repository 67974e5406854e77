import "server-only";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
import type { TurnContent } from "@/lib/runtime/models/read-turn";

export interface StoredTurn {
  turn: number;
  messageId: string;
  model: string;
  content: TurnContent;
  /**
   * How the model ended it: `stop`, `length`, `content-filter`, `tool-calls`, `error` or `other`.
   */
  finishReason: string;
  /** The version of the agent that the model saw; null without an agent. */
  agentVersionId: string | null;
}

export interface StoredToolResult {
  toolCallId: string;
  name: string;
  succeeded: boolean;
  output: unknown;
}

/** What a run's model has said, and what its calls gave. */
interface Transcript {
  turns: readonly StoredTurn[];
  toolResults: ReadonlyMap<string, StoredToolResult>;
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
 * in a row.
 */
export function repeatedResult(run: Transcript, call: ToolCall): ToolResult | null {
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
    ? { succeeded: false, output: REPEATED_OUTPUT }
    : null;
}

/** Whether a model was told that it repeats itself, and did so again. */
export function isStuck(run: Transcript): boolean {
  const last = callsOf(run).slice(-2);
  const told = last.filter(
    ({ toolCallId }) =>
      JSON.stringify(run.toolResults.get(toolCallId)?.output) === JSON.stringify(REPEATED_OUTPUT),
  );
  return told.length === 2;
}

function callsOf({ turns }: Pick<Transcript, "turns">): ToolCall[] {
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
