import "server-only";
import { BudgetShort } from "@/lib/domain/execution/pay/paid-call";
import { timeIsUp } from "@/lib/domain/execution/pay/paid-model-call";
import { findCall, logDecision, prepareApproval } from "@/lib/domain/execution/permission/approval";
import { prepareBudgetWait } from "@/lib/domain/execution/permission/budget-wait";
import { prepareClientCalls } from "@/lib/domain/execution/permission/client-calls";
import type { SettledDecision } from "@/lib/domain/execution/permission/decision";
import { resultTokensMax } from "@/lib/domain/execution/prompt/context-window";
import { loadRun } from "@/lib/domain/execution/run/load-run";
import type { LoadedRun, RunPrograms } from "@/lib/domain/execution/run/loaded-run";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { requireAtWork, withRunLog } from "@/lib/domain/execution/session/with-run-log";
import { actionFacts } from "@/lib/domain/execution/tools/action-facts";
import { dispatchTool } from "@/lib/domain/execution/tools/dispatch-tool";
import {
  type ToolCall,
  type ToolResult,
  toStorableJson,
} from "@/lib/domain/execution/tools/tool-call";
import { observedCall } from "@/lib/domain/execution/trace/run-spans";
import type { CallOutcome } from "@/lib/domain/execution/turn/outcomes";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import { foldStep } from "@/lib/engine/drive";
import { storeWithLog } from "@/lib/engine/events/append-run-log";
import type { ActionFacts } from "@/lib/model/run/run-action";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { callSql } from "@/lib/platform/call-sql";
import { failpoint } from "@/lib/platform/failpoint";
import { postgres } from "@/lib/platform/postgres";
import { AnswerPending, QuestionPending, RunPending } from "@/lib/runtime/tools/tool";

/** Waits shorter than this are not worth a statement. */
const QUEUED_LEAST_MS = 20;
/**
 * How long a call waits for a run at most; then the model is told how it stands, and may wait once
 * more.
 */
const PENDING_MAX_SECONDS = 90;
/** The same for a run that itself waits for credits, and nobody's time goes by. */
const HELD_MAX_SECONDS = 3600;

/**
 * One tool call of a run: judges it, dispatches it, stores its result and shows its markers.
 * Repeated after a crash it returns at once when the result is stored. A call that needs a person's
 * approval is not made: the answer says whom to ask for what.
 * @param isResumed the engine has waited as long as it may for the run, or for the result, that the
 * call waits for
 * @param isShown that it is called was shown before
 */
export async function callTool(
  programs: RunPrograms,
  runId: string,
  turn: number,
  toolCallId: string,
  isResumed = false,
  isShown = isResumed,
): Promise<CallOutcome> {
  return withRunLog<CallOutcome>(runId, { done: true }, async (step, session) => {
    const run = await loadRun(programs, runId, session.known);
    session.known = run;
    requireAtWork(run);
    if (run.transcript.results.has(toolCallId)) return { done: false };
    const call = { ...findCall(run, turn, toolCallId), isResumed };
    await logDecision(run, call, step);
    const decision = await run.program.judge(run, call, step.signal);
    if (decision.action === "ask") return { done: false, ask: prepareApproval(run, call) };
    if (!isShown)
      step.log.append({ type: "tool.started", tool_call_id: toolCallId, name: call.name });
    failpoint("tool.started");
    const startedAt = performance.now();
    const carried = await observedCall(run, toolCallId, () =>
      withinTime(run, step, (limited) => executeCall(run, turn, call, decision, limited)),
    );
    if (carried.is === "ended") return { done: true };
    if (carried.is === "waits-for-client")
      return { done: false, client: await prepareClientCalls(run, toolCallId) };
    if (carried.is === "short")
      return { done: false, short: prepareBudgetWait(run, carried.leastMicros) };
    if (carried.is === "asks")
      return { done: false, question: await prepareClientCalls(run, toolCallId) };
    if (carried.is === "waits-for-run") {
      const left = (runLimits(run).deadline.getTime() - Date.now()) / 1000;
      const timeoutSeconds = carried.isHeld
        ? HELD_MAX_SECONDS
        : Math.ceil(Math.min(PENDING_MAX_SECONDS, Math.max(1, left)));
      const { runId, isHeld } = carried;
      return { done: false, pending: { runId, timeoutSeconds, isHeld } };
    }
    const { result } = carried;
    const outcome: CallOutcome = { done: false };
    failpoint("tool.called");
    const shows = showsPrivate(run, call, decision, result);
    await storeResult(
      step,
      run.accountId,
      turn,
      { ...call, tookMs: performance.now() - startedAt },
      { ...result, action: await actionFacts(run, call, decision, result) },
      outcome,
      shows,
      await answerLines(run, call, decision, result),
    );
    if (shows !== null) run.context.notePrivate();
    failpoint("tool.stored");
    run.transcript.addResult({
      toolCallId,
      name: call.name,
      succeeded: result.succeeded,
      output: storable(result),
    });
    return outcome;
  });
}

/** How many calls of a turn that only read are made at once. */
const READS_AT_ONCE = 4;

/**
 * Makes calls of one turn that only read side by side, and stores each result once, as it comes.
 * Repeated after a crash it makes those that have none.
 * @returns those that were not made: a person is to be asked, another run waited for, or the tool
 * is another one by now
 */
export async function callReads(
  programs: RunPrograms,
  runId: string,
  turn: number,
  toolCallIds: readonly string[],
): Promise<{ done: boolean; left: string[] }> {
  return withRunLog<{ done: boolean; left: string[] }>(
    runId,
    { done: true, left: [] },
    async (step, session) => {
      const run = await loadRun(programs, runId, session.known);
      session.known = run;
      requireAtWork(run);
      const left: string[] = [];
      let stored = Promise.resolve();
      const read = async (toolCallId: string) => {
        if (run.transcript.results.has(toolCallId)) return;
        const call = findCall(run, turn, toolCallId);
        const decision = await run.program.judge(run, call, step.signal);
        if (
          decision.action !== "run" ||
          !(decision.tool.kind === "read" || decision.tool.startsRun) ||
          run.approvals.of(toolCallId) !== undefined
        )
          return void left.push(toolCallId);
        const started = {
          type: "tool.started",
          tool_call_id: toolCallId,
          name: call.name,
        } as const;
        // One that begins a run is mostly made again to wait for it, and shown then.
        const { startsRun } = decision.tool;
        if (!startsRun) step.log.append(started);
        const startedAt = performance.now();
        const carried = await observedCall(run, toolCallId, () =>
          withinTime(run, step, (limited) => executeCall(run, turn, call, decision, limited)),
        );
        if (carried.is !== "done") return void left.push(toolCallId);
        if (startsRun) step.log.append(started);
        const { result } = carried;
        const tookMs = performance.now() - startedAt;
        // A log takes one write at a time.
        stored = stored.then(async () => {
          const shows = showsPrivate(run, call, decision, result);
          const action = await actionFacts(run, call, decision, result);
          const told = { ...result, action };
          await storeResult(step, run.accountId, turn, { ...call, tookMs }, told, null, shows);
          if (shows !== null) run.context.notePrivate();
        });
        await stored;
        run.transcript.addResult({
          toolCallId,
          name: call.name,
          succeeded: result.succeeded,
          output: storable(result),
        });
      };
      const waiting = [...toolCallIds];
      const works = Array.from({ length: READS_AT_ONCE }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          await read(next);
      });
      // None is at work any more when the step ends, whichever way.
      for (const work of await Promise.allSettled(works))
        if (work.status === "rejected") throw work.reason;
      return { done: false, left: toolCallIds.filter((id) => left.includes(id)) };
    },
  );
}

/** What came of a call. */
type Carried =
  | { is: "done"; result: ToolResult }
  /** `isHeld`: that one waits for credits. */
  | { is: "waits-for-run"; runId: string; isHeld: boolean }
  /** For so much more to spend. */
  | { is: "short"; leastMicros: bigint }
  /** For the program of whoever started the run. */
  | { is: "waits-for-client" }
  /** A person. */
  | { is: "asks" }
  /** The call has ended the run. */
  | { is: "ended" };

async function executeCall(
  run: LoadedRun,
  turn: number,
  call: ToolCall,
  decision: SettledDecision,
  step: RunStep,
): Promise<Carried> {
  if (decision.action === "answer") return { is: "done", result: decision.result };
  if (decision.action === "own") {
    const result = await run.program.carryOut(run, call, step);
    return result === "run-ended" ? { is: "ended" } : { is: "done", result };
  }
  const repeated = run.program.mayRepeat ? null : run.transcript.repeatedResult(call);
  if (repeated) return { is: "done", result: repeated };
  try {
    const room = resultTokensMax(run, turn);
    return { is: "done", result: await dispatchTool(run, decision.tool, call, step, room) };
  } catch (error) {
    if (error instanceof RunPending)
      return { is: "waits-for-run", runId: error.runId, isHeld: error.isHeld };
    if (error instanceof BudgetShort) return { is: "short", leastMicros: error.leastMicros };
    if (error instanceof AnswerPending) return { is: "waits-for-client" };
    if (error instanceof QuestionPending) return { is: "asks" };
    throw error;
  }
}

/**
 * The run's deadline holds for its tools too; it stands still while one waits for a place. @throws
 * RunFailure TIMEOUT
 */
async function withinTime<T>(
  run: LoadedRun,
  step: RunStep,
  work: (step: RunStep) => Promise<T>,
): Promise<T> {
  const timeout = timeIsUp();
  const over = new AbortController();
  let deadline = runLimits(run).deadline.getTime();
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    timer = setTimeout(
      () => over.abort(),
      Math.min(Math.max(0, deadline - Date.now()), 2 ** 31 - 1),
    );
  };
  const untimed = async <R>(wait: Promise<R>): Promise<R> => {
    const since = Date.now();
    clearTimeout(timer);
    try {
      return await wait;
    } finally {
      const queuedMs = Date.now() - since;
      deadline += queuedMs;
      arm();
      await noteQueued(run.id, queuedMs);
    }
  };
  if (deadline <= Date.now()) throw timeout;
  arm();
  try {
    return await work({ ...step, untimed, signal: AbortSignal.any([step.signal, over.signal]) });
  } catch (error) {
    throw over.signal.aborted && !step.signal.aborted ? timeout : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Time that the run's later steps do not count either. */
async function noteQueued(runId: string, milliseconds: number): Promise<void> {
  if (milliseconds < QUEUED_LEAST_MS) return;
  await postgres().query("UPDATE runs SET queued_ms = queued_ms + $2 WHERE id = $1", [
    runId,
    milliseconds,
  ]);
}

/**
 * The conversation that is to be noted as one that has seen what is private, by this result; null:
 * it is already, or this is nobody's secret.
 */
function showsPrivate(
  run: LoadedRun,
  call: ToolCall,
  decision: SettledDecision,
  result: ToolResult,
): string | null {
  if (run.context.seenPrivate || decision.action === "answer") return null;
  const shows =
    decision.action === "run" ? !decision.tool.isOpen : run.program.showsPrivate(call, result);
  return shows ? run.conversationId : null;
}

/**
 * Stores a call's result with the line that shows it and the step's own outcome, in one statement.
 * @param outcome null: the step makes other calls too
 * @param shows the conversation that has seen what is private with it; null: none, or it had before
 * @param before lines that come before that one
 */
async function storeResult(
  step: RunStep,
  account: string,
  turn: number,
  call: ToolCall & { tookMs: number },
  { succeeded, output, action }: ToolResult & { action: ActionFacts | null },
  outcome: CallOutcome | null,
  shows: string | null,
  before: readonly RunEventBody[] = [],
): Promise<void> {
  const fold = outcome && (await foldStep(outcome));
  const line = {
    type: "tool.completed",
    tool_call_id: call.toolCallId,
    name: call.name,
    status: succeeded ? "succeeded" : "failed",
  } as const;
  await storeWithLog(step.log, [...before, line], undefined, (log) =>
    callSql(postgres(), "store_tool_result", {
      run: step.runId,
      account,
      tool_call_id: call.toolCallId,
      turn,
      name: call.name,
      succeeded,
      took_ms: call.tookMs,
      output: toStorableJson(output),
      action: action && toStorableJson(action),
      shows,
      log,
      result: fold?.argument ?? null,
    }),
  );
  fold?.done();
}

/** The message by which a person has answered a question of the run. */
async function answerLines(
  run: LoadedRun,
  call: ToolCall,
  decision: SettledDecision,
  { succeeded, output }: ToolResult,
): Promise<RunEventBody[]> {
  if (decision.action !== "run" || !decision.tool.asks || !succeeded) return [];
  const { rows } = await postgres().query<{ id: string }>(
    "SELECT id FROM run_messages WHERE run_id = $1 AND account_id = $2 AND tool_call_id = $3",
    [run.id, run.accountId, call.toolCallId],
  );
  // `sendMessage` has stored what it says; secrets are out of it by now.
  const { answer } = output as { answer?: string };
  return rows.map(({ id }) => ({
    type: "message.received",
    message_id: id,
    role: "user",
    when: "next_step",
    text: answer ?? "",
    tool_call_id: call.toolCallId,
  }));
}

/** A result as it is read back. */
function storable({ output }: ToolResult): unknown {
  return JSON.parse(toStorableJson(output)) as unknown;
}
