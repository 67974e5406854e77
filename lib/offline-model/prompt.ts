import "server-only";
import type { LanguageModelV4CallOptions, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import {
  isForLanguageModels,
  type RulesTask,
  rulesOptionsSchema,
} from "@/lib/model/models/rules-task";

export interface OfflineCall {
  name: string;
  input: JsonObject;
}

/** What the model does in one turn. */
export interface OfflineTurn {
  text: string;
  calls: OfflineCall[];
}

export interface Outcome {
  failed: boolean;
  /** Null when there is none. */
  output: JsonValue;
  /** What a call that failed said. */
  error: string;
}

/** A prompt as the rules read it. */
export interface ReadPrompt {
  task: RulesTask;
  /** What the person says now, and said before, oldest first. */
  request: string;
  earlier: string[];
  /** What came of the calls since the person spoke, oldest first. */
  outcomes: Outcome[];
  /** Names of the tools. */
  tools: ReadonlySet<string>;
  /** The task of a run; of another task, what a run without an agent is. */
  run: RunTask;
}

type RunTask = Extract<RulesTask, { kind: "run" }>;

/** Of a call that says nothing: what a run without an agent is. */
const BARE_TASK: RunTask = {
  kind: "run",
  agent: null,
  outputSchema: null,
  hasWorkspace: false,
  leadsAgents: false,
};

export function readPrompt({
  prompt,
  tools,
  toolChoice,
  providerOptions,
}: Pick<
  LanguageModelV4CallOptions,
  "prompt" | "tools" | "toolChoice" | "providerOptions"
>): ReadPrompt {
  const own = providerOptions?.lathe;
  const task = own === undefined ? BARE_TASK : rulesOptionsSchema.parse(own).task;
  const spoken: string[] = [];
  const calls: string[] = [];
  const results = new Map<string, LanguageModelV4ToolResultPart>();
  for (const message of prompt) {
    if (message.role === "user") {
      const said = message.content.flatMap((part) =>
        part.type === "text" && !isForLanguageModels(part.providerOptions) ? [part.text] : [],
      );
      // Pictures, and what only language models are told, are nothing that the person says.
      if (said.length === 0) continue;
      spoken.push(said.join("\n"));
      calls.length = 0;
    } else if (message.role === "assistant")
      for (const part of message.content) part.type === "tool-call" && calls.push(part.toolCallId);
    else if (message.role === "tool")
      for (const part of message.content)
        part.type === "tool-result" && results.set(part.toolCallId, part);
  }
  const shown = toolChoice?.type === "none" ? [] : (tools ?? []);
  return {
    task,
    request: spoken.at(-1) ?? "",
    earlier: spoken.slice(0, -1),
    outcomes: calls.map((id) => toOutcome(results.get(id)?.output)),
    tools: new Set(shown.map(({ name }) => name)),
    run: task.kind === "run" ? task : BARE_TASK,
  };
}

function toOutcome(output: LanguageModelV4ToolResultPart["output"] | undefined): Outcome {
  if (output === undefined)
    return { failed: true, output: null, error: "The tool gave no result." };
  const value = contentOf(output);
  const error = isJsonObject(value) && typeof value.error === "string" ? value.error : null;
  const failed =
    error !== null || output.type === "execution-denied" || output.type.startsWith("error");
  return {
    failed,
    output: value,
    error: error ?? (typeof value === "string" ? value : "The tool gave no usable result."),
  };
}

function contentOf(output: LanguageModelV4ToolResultPart["output"]): JsonValue {
  // Tool outputs are JSON by their making.
  if (output.type === "json" || output.type === "error-json") return output.value as JsonValue;
  if (output.type === "execution-denied") return output.reason ?? "The call was refused.";
  return output.type === "content"
    ? output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n")
    : output.value;
}

/** Work that calls tools and goes on with what came of them. */
export type Steps<Result> = Generator<OfflineCall[], Result, Outcome[]>;

/**
 * The next turn of work that begins anew at every turn: what its calls brought before is given to
 * it again, up to the first call not made yet.
 */
export function nextTurn(work: Steps<string>, outcomes: readonly Outcome[]): OfflineTurn {
  let at = 0;
  let step = work.next();
  while (!step.done) {
    const calls = step.value;
    if (at >= outcomes.length) return { text: "", calls };
    step = work.next(outcomes.slice(at, at + calls.length));
    at += calls.length;
  }
  return { text: step.value, calls: [] };
}
