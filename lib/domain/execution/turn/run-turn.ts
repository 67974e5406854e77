import "server-only";
import { findExpiredClientTool } from "@/lib/domain/execution/permission/client-calls";
import { compactContext } from "@/lib/domain/execution/prompt/compact-context";
import { canCompact, isFull } from "@/lib/domain/execution/prompt/context-window";
import {
  readConversation,
  shownConversation,
  summarizeConversation,
} from "@/lib/domain/execution/prompt/conversation-context";
import { promptImages } from "@/lib/domain/execution/prompt/prompt-images";
import { loadRun } from "@/lib/domain/execution/run/load-run";
import type { LoadedRun, RunLimits, RunPrograms } from "@/lib/domain/execution/run/loaded-run";
import type { StoredToolResult, StoredTurn } from "@/lib/domain/execution/run/transcript";
import {
  RunHasEnded,
  type RunSession,
  requireAtWork,
  withRunSession,
} from "@/lib/domain/execution/session/with-run-log";
import type { UnavailableConnector } from "@/lib/domain/execution/tools/list-servers";
import { observedTurn } from "@/lib/domain/execution/trace/run-spans";
import { callModel } from "@/lib/domain/execution/turn/call-model";
import { nextOf, requireAnswer } from "@/lib/domain/execution/turn/follows";
import type { TurnOutcome } from "@/lib/domain/execution/turn/outcomes";
import { isLastTurn, runLimits } from "@/lib/domain/execution/turn/run-limits";
import type { TurnInput } from "@/lib/domain/execution/turn/turn-input";
import { openRunLog, type RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { FOR_LANGUAGE_MODELS, type RulesTask } from "@/lib/model/models/rules-task";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { RunFailure } from "@/lib/model/run/run-failure";
import { failpoint } from "@/lib/platform/failpoint";
import {
  promptTokens,
  type ToolResultContent,
  type TurnPrompt,
  type TurnTool,
  type TurnToolChoice,
  type UserContent,
} from "@/lib/runtime/models/read-turn";
import { ModelFailure } from "@/lib/runtime/models/stream-turn";
import { toFunctionTool } from "@/lib/runtime/tools/tool";

/**
 * One model turn of a run: streams it into the run's log, stores and charges it, and ends the run
 * when the model asks for no tool.
 * Repeated after a crash it finds the stored turn and neither calls nor charges twice.
 */
export async function runTurn(
  programs: RunPrograms,
  runId: string,
  turn: number,
): Promise<TurnOutcome> {
  return withRunSession(runId, { done: true } as TurnOutcome, async (session) => {
    failpoint("run.claimed");
    const run = await loadRun(programs, runId, session.known);
    session.known = run;
    requireAtWork(run);
    return observedTurn(() => takeLoaded(run, turn, session));
  });
}

async function takeLoaded(run: LoadedRun, turn: number, session: RunSession): Promise<TurnOutcome> {
  const limits = runLimits(run);
  const stored = run.transcript.turns.find((candidate) => candidate.turn === turn);
  if (stored) return afterTurn(run, stored, limits, session);
  if (turn >= limits.maxSteps) {
    const failure = await orExpired(run, run.program.stepLimit(run, limits.maxSteps));
    return run.program.endOverdue(run, failure, () => openLog(session));
  }
  const input = async () => {
    const { unavailable, ...shown } = await buildPrompt(run, turn, limits, session.signal);
    // Said once: the run's owner reads it there.
    const notices: RunEventBody[] =
      turn > 0
        ? []
        : unavailable.map(({ name, reason }) => ({
            type: "connector.unavailable" as const,
            name,
            message: reason,
          }));
    return { run, turn, limits, session, notices, ...shown };
  };
  await readConversation(run);
  let shown = await input();
  const summedUp = run.context.compaction ? null : await summarizeConversation(shown);
  if (summedUp) {
    const after = await input();
    const tokens_after = promptTokens(after.prompt);
    const tokens_before = tokens_after + summedUp.tokens.before - summedUp.tokens.after;
    const notice = {
      type: "context.compacted" as const,
      messages: summedUp.messages,
      tokens_before,
      tokens_after,
    };
    shown = { ...after, notices: [...shown.notices, notice] };
  }
  const compact = async (windowTokens: number | null) => {
    await compactContext(shown, windowTokens);
    const notices = shown.notices;
    const after = await input();
    shown = { ...after, notices: [...notices, compactedNotice(shown.prompt, after)] };
  };
  if (isFull(shown)) await compact(null);
  try {
    return await callModelOrFail(shown);
  } catch (error) {
    // Only the vendor knows how it counts: where it says that the prompt is too long, it is
    // shortened once.
    if (!(error instanceof ModelFailure) || !error.overflow || !canCompact(run)) throw error;
    shown = { ...shown, notices: [] };
    await compact(error.overflow.windowTokens);
    return callModelOrFail(shown);
  }
}

/** What the log says of a prompt that was summed up. */
function compactedNotice(before: TurnPrompt, { prompt }: Pick<TurnInput, "prompt">): RunEventBody {
  return {
    type: "context.compacted",
    messages: Math.max(0, before.length - prompt.length),
    tokens_before: promptTokens(before),
    tokens_after: promptTokens(prompt),
  };
}

/** @throws RunHasEnded */
async function openLog(session: RunSession): Promise<RunLogWriter> {
  session.writer ??= await openRunLog(session.runId);
  if (!session.writer) throw new RunHasEnded();
  return session.writer;
}

/** A turn that an earlier attempt of this step has stored: what follows from it. */
async function afterTurn(
  run: LoadedRun,
  taken: StoredTurn,
  limits: RunLimits,
  session: RunSession,
): Promise<TurnOutcome> {
  requireAnswer(run, taken, limits);
  const next = nextOf(run, taken);
  if (next) return next;
  if (!session.writer) {
    session.writer = await openRunLog(run.id);
    await run.cost.refresh();
  }
  if (!session.writer) throw new RunHasEnded();
  return run.program.end(run, limits, session.writer, null);
}

async function callModelOrFail(input: TurnInput): Promise<TurnOutcome> {
  try {
    return await callModel(input);
  } catch (error) {
    const isObstacle =
      error instanceof RunFailure &&
      (error.code === "BUDGET_EXCEEDED" || error.code === "STEP_LIMIT_EXCEEDED");
    throw isObstacle ? await orExpired(input.run, error) : error;
  }
}

/**
 * Where a call of the last turn was approved, or carried out, by nobody in time and the run cannot
 * go on, that is what it failed of.
 */
async function orExpired(run: LoadedRun, obstacle: RunFailure): Promise<RunFailure> {
  const last = run.transcript.turns.at(-1);
  const expired = (last?.content ?? []).find(
    (part) => part.type === "tool-call" && run.approvals.of(part.toolCallId)?.status === "expired",
  );
  if (expired?.type !== "tool-call") {
    const tool = last ? await findExpiredClientTool(run, last.turn) : null;
    if (tool === null) return obstacle;
    return new RunFailure(
      "APPROVAL_EXPIRED",
      `Nobody posted a result of the client tool ${tool} in time, and the run could not go on. ${obstacle.message}`,
    );
  }
  return new RunFailure(
    "APPROVAL_EXPIRED",
    `Nobody approved the call of ${expired.toolName} in time, and the run could not go on. ${obstacle.message}`,
  );
}

export interface ShownTurn {
  unavailable: UnavailableConnector[];
  prompt: TurnPrompt;
  tools: TurnTool[];
  toolChoice: TurnToolChoice;
  readers: ReadonlySet<string>;
  task: RulesTask;
}

/**
 * What a run's next turn shows the model: system prompt, earlier conversation, input, and the
 * transcript so far.
 */
export async function buildPrompt(
  run: LoadedRun,
  turn: number,
  limits: RunLimits,
  signal: AbortSignal,
): Promise<ShownTurn> {
  const { program } = run;
  const { tools, unavailable } = await program.tools(run, signal);
  const names = tools.map(({ name }) => name);
  const told = { tools: names, unavailable, maxSteps: limits.maxSteps };
  const { system, task } = await program.instructions(run, told);
  const { compaction } = run.context;
  const shown = run.transcript.from(compaction?.fromTurn ?? 0);
  const images = await promptImages(run, shown);
  const { history, record } = conversationMessages(run);
  const asked = [
    ...(compaction ? [] : record),
    { type: "text" as const, text: program.request(run) },
  ];
  if (compaction)
    asked.push({
      type: "text",
      text: `You have worked on this already. In short, this is what came of it:\n\n${compaction.summary}`,
    });
  const prompt: TurnPrompt = [
    { role: "system", content: system },
    ...(compaction ? [] : history),
    { role: "user", content: asked },
    ...shown.flatMap((taken) => toMessages(run, taken, images)),
  ];
  const isLast = isLastTurn(run, turn, limits);
  if (program.answersLast) tell(prompt, stepsText(limits.maxSteps - turn, isLast));
  const readers = tools.flatMap(({ name, kind }) => (kind === "read" ? [name] : []));
  return {
    unavailable,
    prompt,
    tools: tools.map(toFunctionTool),
    toolChoice: program.toolChoice(run, isLast),
    readers: new Set(readers),
    task,
  };
}

interface ToldText {
  type: "text";
  text: string;
  providerOptions: typeof FOR_LANGUAGE_MODELS;
}

/** What the service says among the words of people. */
function told(text: string): ToldText {
  return { type: "text", text, providerOptions: FOR_LANGUAGE_MODELS };
}

/** The conversation before a run, and what stands before its own request. */
function conversationMessages(run: LoadedRun): {
  history: TurnPrompt;
  record: ToldText[];
} {
  const { messages, before, record } = shownConversation(run);
  const text = (text: string) => ({ type: "text" as const, text });
  const history: TurnPrompt = messages.map(({ role, text: said }) => ({
    role,
    content: [text(said)],
  }));
  const parts = record === null ? [] : [told(record)];
  if (before === null) return { history, record: parts };
  const [first, ...rest] = history;
  if (first?.role !== "user") return { history, record: [told(before), ...parts] };
  return {
    history: [{ ...first, content: [told(before), ...first.content] }, ...rest],
    record: parts,
  };
}

/** From so few turns on a model is told how many it has left. */
const STEPS_TOLD = 3;

/**
 * What stands at the end of a prompt for this turn alone: what comes before it stays as it is, and
 * so in the vendor's cache.
 */
function stepsText(left: number, isLast: boolean): string | null {
  if (isLast)
    return "This is your last turn, and you have no tools any more. Answer now with what you have found out and done, and say plainly what is missing.";
  return left <= STEPS_TOLD && left > 1
    ? `You have ${left} turns left, this one included. The last one is for your answer alone.`
    : null;
}

/** Says it as the user, in one message with what the user said last. */
function tell(prompt: TurnPrompt, text: string | null): void {
  if (text === null) return;
  const last = prompt.at(-1);
  const part = told(text);
  if (last?.role === "user")
    prompt[prompt.length - 1] = { role: "user", content: [...last.content, part] };
  else prompt.push({ role: "user", content: [part] });
}

/**
 * A stored turn and the results of its calls, as the model said and saw them, or what it was told
 * because it asked for none.
 */
function toMessages(
  run: LoadedRun,
  turn: StoredTurn,
  images: ReadonlyMap<string, UserContent>,
): TurnPrompt {
  const said: TurnPrompt =
    turn.content.length === 0 ? [] : [{ role: "assistant", content: turn.content }];
  const asked = turn.content.flatMap((part) =>
    part.type === "tool-call" ? [run.transcript.resultOf(part.toolCallId)] : [],
  );
  const results = asked.filter((result) => result !== undefined);
  if (results.length > 0) {
    const given: TurnPrompt = [...said, { role: "tool", content: results.map(toResultPart) }];
    // Not every vendor takes a picture within a tool's result; all take one of the user's.
    const seen = results.flatMap(({ toolCallId }) => images.get(toolCallId) ?? []);
    return seen.length > 0 ? [...given, { role: "user", content: seen }] : given;
  }
  const correction = asked.length > 0 ? null : run.program.correction(run, turn);
  return correction === null ? said : [...said, { role: "user", content: [told(correction)] }];
}

function toResultPart(result: StoredToolResult): ToolResultContent[number] {
  const value = result.output as JsonValue; // stored as JSON
  return {
    type: "tool-result",
    toolCallId: result.toolCallId,
    toolName: result.name,
    output: typeof value === "string" ? { type: "text", value } : { type: "json", value },
  };
}
