import "server-only";
import { applyBuild } from "@/lib/domain/execution/apply-build";
import {
  type ApprovalRequest,
  findCall,
  judge,
  logDecision,
  prepareApproval,
} from "@/lib/domain/execution/approval";
import type { ToolCallDecision } from "@/lib/domain/execution/authorize-call";
import { type ClientCallRequest, prepareClientCalls } from "@/lib/domain/execution/client-calls";
import { resultTokensMax } from "@/lib/domain/execution/context-window";
import { dispatchTool } from "@/lib/domain/execution/dispatch-tool";
import { readsFiles } from "@/lib/domain/execution/lint-draft";
import { type LoadedRun, loadRun } from "@/lib/domain/execution/load-run";
import { runLimits } from "@/lib/domain/execution/run-limits";
import { observedCall } from "@/lib/domain/execution/run-spans";
import {
  repeatedResult,
  type ToolCall,
  type ToolResult,
  toStorableJson,
} from "@/lib/domain/execution/tool-call";
import { type RunStep, requireAtWork, withRunLog } from "@/lib/domain/execution/with-run-log";
import { foldStep } from "@/lib/engine/drive";
import { storeWithLog } from "@/lib/engine/events/append-run-log";
import { RunFailure } from "@/lib/model/run/run-failure";
import { callSql } from "@/lib/platform/call-sql";
import { failpoint } from "@/lib/platform/failpoint";
import { postgres } from "@/lib/platform/postgres";
import { AnswerPending, RunPending } from "@/lib/runtime/tools/tool";

/**
 * What the engine does next: nothing more; the next call; or ask a person, wait for another run or
 * for the caller's own program, and call again.
 */
export interface CallOutcome {
  done: boolean;
  ask?: ApprovalRequest;
  pending?: { runId: string; timeoutSeconds: number };
  client?: ClientCallRequest;
}

/** Waits shorter than this are not worth a statement. */
const QUEUED_LEAST_MS = 20;
/**
 * How long a call waits for a run at most; then the model is told how it stands, and may wait once
 * more.
 */
const PENDING_MAX_SECONDS = 90;

/**
 * One tool call of a run: judges it, dispatches it, stores its result and shows its markers.
 * Repeated after a crash it returns at once when the result is stored. A call that needs a person's
 * approval is not made: the answer says whom to ask for what.
 * @param isResumed the engine has waited for the run, or for the result, that the call waits for
 */
export async function callTool(
  runId: string,
  turn: number,
  toolCallId: string,
  isResumed = false,
): Promise<CallOutcome> {
  return withRunLog<CallOutcome>(runId, { done: true }, async (step, session) => {
    const run = await loadRun(runId, session.known);
    session.known = run;
    requireAtWork(run);
    if (run.toolResults.has(toolCallId)) return { done: false };
    const call = { ...findCall(run, turn, toolCallId), isResumed };
    await logDecision(run, call, step);
    const decision = await judge(run, call, step.signal);
    if (decision.action === "ask") return { done: false, ask: prepareApproval(run, call) };
    if (!isResumed)
      step.log.append({ type: "tool.started", tool_call_id: toolCallId, name: call.name });
    failpoint("tool.started");
    const startedAt = performance.now();
    const result = await observedCall(run, toolCallId, () =>
      withinTime(run, step, (limited) => executeCall(run, turn, call, decision, limited)),
    );
    if (result instanceof RunPending) {
      const left = (runLimits(run).deadline.getTime() - Date.now()) / 1000;
      return {
        done: false,
        pending: {
          runId: result.runId,
          timeoutSeconds: Math.ceil(Math.min(PENDING_MAX_SECONDS, Math.max(1, left))),
        },
      };
    }
    if (result instanceof AnswerPending)
      return { done: false, client: await prepareClientCalls(run, toolCallId) };
    if (result === "run-ended") return { done: true };
    const outcome = { done: false };
    failpoint("tool.called");
    const shows = showsPrivate(run, call, decision);
    await storeResult(
      step,
      run.accountId,
      turn,
      { ...call, tookMs: performance.now() - startedAt },
      result,
      outcome,
      shows,
    );
    run.seenPrivate ||= shows !== null;
    failpoint("tool.stored");
    run.toolResults.set(toolCallId, {
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
 * @returns those that were not made: a person is to be asked, another run waited for, or the tool is another one by now
 */
export async function callReads(
  runId: string,
  turn: number,
  toolCallIds: readonly string[],
): Promise<{ done: boolean; left: string[] }> {
  return withRunLog<{ done: boolean; left: string[] }>(
    runId,
    { done: true, left: [] },
    async (step, session) => {
      const run = await loadRun(runId, session.known);
      session.known = run;
      requireAtWork(run);
      const left: string[] = [];
      let stored = Promise.resolve();
      const read = async (toolCallId: string) => {
        if (run.toolResults.has(toolCallId)) return;
        const call = findCall(run, turn, toolCallId);
        const decision = await judge(run, call, step.signal);
        if (
          decision.action !== "run" ||
          decision.tool.kind !== "read" ||
          run.approvals.has(toolCallId)
        )
          return void left.push(toolCallId);
        step.log.append({ type: "tool.started", tool_call_id: toolCallId, name: call.name });
        const startedAt = performance.now();
        const result = await observedCall(run, toolCallId, () =>
          withinTime(run, step, (limited) => executeCall(run, turn, call, decision, limited)),
        );
        if (
          result instanceof RunPending ||
          result instanceof AnswerPending ||
          result === "run-ended"
        )
          return void left.push(toolCallId);
        const tookMs = performance.now() - startedAt;
        // A log takes one write at a time.
        stored = stored.then(async () => {
          const shows = showsPrivate(run, call, decision);
          await storeResult(step, run.accountId, turn, { ...call, tookMs }, result, null, shows);
          run.seenPrivate ||= shows !== null;
        });
        await stored;
        run.toolResults.set(toolCallId, {
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

async function executeCall(
  run: LoadedRun,
  turn: number,
  call: ToolCall,
  decision: Exclude<ToolCallDecision, { action: "ask" }>,
  step: RunStep,
): Promise<ToolResult | "run-ended" | RunPending | AnswerPending> {
  if (decision.action === "build") return applyBuild(run, call, step);
  if (decision.action !== "run") return decision.result;
  const repeated = repeatedResult(run, call);
  if (repeated) return repeated;
  return dispatchTool(run, decision.tool, call, step, resultTokensMax(run, turn)).catch(
    (error: unknown) => {
      if (error instanceof RunPending || error instanceof AnswerPending) return error;
      throw error;
    },
  );
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
  const timeout = new RunFailure(
    "TIMEOUT",
    "The run's time limit was reached before it came to an end.",
  );
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
  decision: Exclude<ToolCallDecision, { action: "ask" }>,
): string | null {
  if (run.seenPrivate || decision.action === "answer") return null;
  const shows =
    decision.action === "run" ? !decision.tool.isOpen : readsFiles(call.name, call.input);
  return shows ? run.conversationId : null;
}

/**
 * Stores a call's result with the line that shows it and the step's own outcome, in one statement.
 * @param outcome null: the step makes other calls too
 * @param shows the conversation that has seen what is private with it; null: none, or it had before
 */
async function storeResult(
  step: RunStep,
  account: string,
  turn: number,
  call: ToolCall & { tookMs: number },
  { succeeded, output }: ToolResult,
  outcome: CallOutcome | null,
  shows: string | null,
): Promise<void> {
  const fold = outcome && (await foldStep(outcome));
  const line = {
    type: "tool.completed",
    tool_call_id: call.toolCallId,
    name: call.name,
    status: succeeded ? "succeeded" : "failed",
  } as const;
  await storeWithLog(step.log, [line], undefined, (log) =>
    callSql(postgres(), "store_tool_result", {
      run: step.runId,
      account,
      tool_call_id: call.toolCallId,
      turn,
      name: call.name,
      succeeded,
      took_ms: call.tookMs,
      output: toStorableJson(output),
      shows,
      log,
      result: fold?.argument ?? null,
    }),
  );
  fold?.done();
}

/** A result as it is read back. */
function storable({ output }: ToolResult): unknown {
  return JSON.parse(toStorableJson(output)) as unknown;
}
