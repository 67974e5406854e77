import "server-only";
import { windowOf } from "@/lib/domain/execution/prompt/context-window";
import { shownConversation } from "@/lib/domain/execution/prompt/conversation-context";
import { promptFiles } from "@/lib/domain/execution/prompt/prompt-files";
import type { LoadedRun, RunLimits } from "@/lib/domain/execution/run/loaded-run";
import { type FrozenPrompt, frozenTools } from "@/lib/domain/execution/run/prompt-context";
import {
  callsOf,
  inStoredOrder,
  type ReceivedMessage,
  type StoredToolResult,
  type StoredTurn,
} from "@/lib/domain/execution/run/transcript";
import type { UnavailableConnector } from "@/lib/domain/execution/tools/list-servers";
import { isLastTurn } from "@/lib/domain/execution/turn/run-limits";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { FOR_LANGUAGE_MODELS, type RulesTask } from "@/lib/model/models/rules-task";
import type {
  ToolResultContent,
  TurnPrompt,
  TurnTool,
  TurnToolChoice,
  UserContent,
} from "@/lib/runtime/models/read-turn";
import {
  knownOf,
  type Situation,
  type Told,
  tellChanges,
  tellSituation,
} from "@/lib/runtime/prompts/situation";
import { toFunctionTool } from "@/lib/runtime/tools/tool";
import { saidCall } from "@/lib/runtime/tools/tool-lookup";

export interface ShownTurn {
  unavailable: UnavailableConnector[];
  prompt: TurnPrompt;
  tools: TurnTool[];
  toolChoice: TurnToolChoice;
  readers: ReadonlySet<string>;
  task: RulesTask;
  told: Told | null;
}

/**
 * What a run's next turn shows the model: system prompt, earlier conversation, input, and the
 * transcript so far. It begins with all that the turn before was shown, to the byte: system prompt
 * and tools are frozen, and what has changed since is told at the end, and stays there. A summary
 * in place of what came before begins anew.
 */
export async function buildPrompt(
  run: LoadedRun,
  turn: number,
  limits: RunLimits,
  signal: AbortSignal,
): Promise<ShownTurn> {
  const { program } = run;
  const toolset = await program.tools(run, signal);
  const current = toolset.tools.filter(({ isLookedUp }) => !isLookedUp).map(toFunctionTool);
  const { system, task } = await program.instructions(run, {
    tools: toolset.tools,
    maxSteps: limits.maxSteps,
  });
  const frozen = run.context.frozen ?? freeze(run, { turn, system, tools: current });
  const around = await program.situation(run, toolset);
  const situation = { ...around, now: new Date(), zone: run.zone, tools: current };
  const told = tellBefore(run, turn, limits, situation);
  const prompt: TurnPrompt = [
    { role: "system", content: frozen.system },
    ...conversation(run, frozen.tools.length > 0),
  ];
  await addTranscript(prompt, run);
  hear(prompt, run.transcript.messagesBefore(turn));
  add(prompt, told);
  const readers = toolset.tools.flatMap(({ name, kind, startsRun }) =>
    kind === "read" || startsRun ? [name] : [],
  );
  return {
    unavailable: toolset.unavailable,
    prompt,
    tools: [...frozen.tools],
    toolChoice: program.toolChoice(run, isLastTurn(run, turn, limits)),
    readers: new Set(readers),
    task,
    told,
  };
}

function freeze(run: LoadedRun, prompt: Omit<FrozenPrompt, "toolsText">): FrozenPrompt {
  // As they come back from the database: with the same bytes.
  const frozen = { ...prompt, ...frozenTools(JSON.stringify(prompt.tools)) };
  run.context.freeze(frozen);
  return frozen;
}

/** The turns that the prompt shows; those before them are summed up. */
function shownTurns(run: LoadedRun): readonly StoredTurn[] {
  return run.transcript.from(run.context.compaction?.fromTurn ?? 0);
}

/**
 * What a model is told before its next turn: what its last message lacked, what is otherwise by now
 * than it knows (all of it where its prompt says nothing of that), and how many turns are left.
 */
function tellBefore(
  run: LoadedRun,
  turn: number,
  limits: RunLimits,
  situation: Situation,
): Told | null {
  const shown = shownTurns(run);
  const known = shown.findLast(({ told }) => told?.knows)?.told?.knows;
  const isWhole = known === undefined || !shown.some(({ told }) => told?.whole);
  const changes = isWhole ? [tellSituation(situation)] : tellChanges(known, situation);
  const correction = correctionAfter(run, shown.at(-1));
  const steps = run.program.answersLast
    ? stepsText(limits.maxSteps - turn, isLastTurn(run, turn, limits))
    : null;
  const lines = [...changes, correction, steps].filter((line) => line !== null);
  if (lines.length === 0) return null;
  return {
    lines,
    ...(isWhole && { whole: true as const }),
    ...(changes.length > 0 && { knows: knownOf(situation) }),
  };
}

/** What a model is told behind a turn that asked for no tool; null: nothing. */
function correctionAfter(run: LoadedRun, turn: StoredTurn | undefined): string | null {
  return turn && callsOf(turn).length === 0 ? run.program.correction(run, turn) : null;
}

/** From so few turns on a model is told how many it has left. */
const STEPS_TOLD = 3;

function stepsText(left: number, isLast: boolean): string | null {
  if (isLast)
    return (
      "This is your last turn, in which no tool can be called. Answer now with what you have " +
      "found out and done, and say plainly what is missing."
    );
  return left <= STEPS_TOLD && left > 1
    ? `You have ${left} turns left, this one included. The last one is for your answer alone.`
    : null;
}

interface ToldText {
  type: "text";
  text: string;
  providerOptions: typeof FOR_LANGUAGE_MODELS;
}

/** What the service says among the words of people. */
function toToldText(text: string): ToldText {
  return { type: "text", text, providerOptions: FOR_LANGUAGE_MODELS };
}

/**
 * The conversation before a run, and its own request.
 * @param hasTools no vendor takes calls in the prompt of a run that has no tools
 */
function conversation(run: LoadedRun, hasTools: boolean): TurnPrompt {
  const request = { type: "text" as const, text: run.program.request(run) };
  const { compaction } = run.context;
  if (compaction) {
    const summary = {
      type: "text" as const,
      text:
        "You have worked on this already. In short, this is what came of it:\n\n" +
        `${compaction.summary}`,
    };
    return [{ role: "user", content: [request, summary] }];
  }
  // A model without a window reads no calls of earlier runs, but what was said.
  const withCalls = hasTools && windowOf(run) !== null;
  const { messages: history, before, record } = shownConversation(run, withCalls);
  const asked: UserContent = [...(record === null ? [] : [toToldText(record)]), request];
  if (before === null) return [...history, { role: "user", content: asked }];
  const [first, ...rest] = history;
  if (first?.role !== "user")
    return [...history, { role: "user", content: [toToldText(before), ...asked] }];
  const opened = { ...first, content: [toToldText(before), ...first.content] };
  return [opened, ...rest, { role: "user", content: asked }];
}

/** Adds what a model is told: to what the user said last, or as a message of the user's. */
function add(prompt: TurnPrompt, told: Pick<Told, "lines" | "whole"> | null): void {
  if (told === null || told.lines.length === 0) return;
  const parts = told.lines.map(toToldText);
  const last = prompt.at(-1);
  if (last?.role !== "user") prompt.push({ role: "user", content: parts });
  else {
    // What is asked for stands behind what holds around it.
    const [situation, ...others] = parts;
    const content =
      told.whole && situation
        ? [situation, ...last.content, ...others]
        : [...last.content, ...parts];
    prompt[prompt.length - 1] = { role: "user", content };
  }
}

/** What a person said meanwhile; some servers want turns of both sides. */
function hear(prompt: TurnPrompt, messages: readonly ReceivedMessage[]): void {
  if (messages.length === 0) return;
  const parts = messages.map(({ text }) => ({ type: "text" as const, text }));
  const last = prompt.at(-1);
  if (last?.role === "user")
    prompt[prompt.length - 1] = { role: "user", content: [...last.content, ...parts] };
  else prompt.push({ role: "user", content: parts });
}

/** Adds the turns so far, each with what the model was told before it. */
async function addTranscript(prompt: TurnPrompt, run: LoadedRun): Promise<void> {
  const shown = shownTurns(run);
  const files = await promptFiles(run, shown);
  for (const [index, turn] of shown.entries()) {
    hear(prompt, run.transcript.messagesBefore(turn.turn));
    add(prompt, turn.told ?? toldByOlder(run, shown[index - 1]));
    if (turn.content.length > 0)
      prompt.push({ role: "assistant", content: inStoredOrder(asSaid(turn)) });
    prompt.push(...toResults(run, turn, files));
  }
}

/** What a turn's model said, with its calls as it made them. */
function asSaid({ content }: StoredTurn): StoredTurn["content"] {
  return content.map((part) => (part.type === "tool-call" ? saidCall(part) : part));
}

/** What an older version told before a turn, which kept nothing of it. */
function toldByOlder(run: LoadedRun, before: StoredTurn | undefined): Pick<Told, "lines"> | null {
  const correction = correctionAfter(run, before);
  return correction === null ? null : { lines: [correction] };
}

/** The results of a turn's calls, as the model saw them. */
function toResults(
  run: LoadedRun,
  turn: StoredTurn,
  files: ReadonlyMap<string, UserContent>,
): TurnPrompt {
  const results = callsOf(turn)
    .map(({ toolCallId }) => run.transcript.resultOf(toolCallId))
    .filter((result) => result !== undefined);
  if (results.length === 0) return [];
  const names = new Map(
    asSaid(turn).flatMap((part): [string, string][] =>
      part.type === "tool-call" ? [[part.toolCallId, part.toolName]] : [],
    ),
  );
  const parts = results.map((result) =>
    toResultPart({ ...result, name: names.get(result.toolCallId) ?? result.name }),
  );
  const given: TurnPrompt = [{ role: "tool", content: parts }];
  // Not every vendor takes a file within a tool's result; all take one of the user's.
  const seen = results.flatMap(({ toolCallId }) => files.get(toolCallId) ?? []);
  return seen.length > 0 ? [...given, { role: "user", content: seen }] : given;
}

function toResultPart(result: StoredToolResult): ToolResultContent[number] {
  const value = inStoredOrder(result.output) as JsonValue; // stored as JSON
  return {
    type: "tool-result",
    toolCallId: result.toolCallId,
    toolName: result.name,
    output: typeof value === "string" ? { type: "text", value } : { type: "json", value },
  };
}
