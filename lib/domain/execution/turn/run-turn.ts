import "server-only";
import { BudgetShort } from "@/lib/domain/execution/pay/paid-call";
import { prepareBudgetWait } from "@/lib/domain/execution/permission/budget-wait";
import { findExpired } from "@/lib/domain/execution/permission/client-calls";
import { compactContext } from "@/lib/domain/execution/prompt/compact-context";
import { canCompact, isFull } from "@/lib/domain/execution/prompt/context-window";
import {
  readConversation,
  summarizeConversation,
} from "@/lib/domain/execution/prompt/conversation-context";
import { buildPrompt } from "@/lib/domain/execution/prompt/run-prompt";
import { loadRun } from "@/lib/domain/execution/run/load-run";
import type { LoadedRun, RunLimits, RunPrograms } from "@/lib/domain/execution/run/loaded-run";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import type { StoredTurn } from "@/lib/domain/execution/run/transcript";
import {
  RunHasEnded,
  type RunSession,
  requireAtWork,
  withRunSession,
} from "@/lib/domain/execution/session/with-run-log";
import { observedTurn } from "@/lib/domain/execution/trace/run-spans";
import { callModel } from "@/lib/domain/execution/turn/call-model";
import { endOrGoOn, nextOf, requireAnswer } from "@/lib/domain/execution/turn/follows";
import type { TurnOutcome } from "@/lib/domain/execution/turn/outcomes";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import type { TurnInput } from "@/lib/domain/execution/turn/turn-input";
import { storeWithLog } from "@/lib/engine/events/append-run-log";
import { openRunLog, type RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { RunFailure } from "@/lib/model/run/run-failure";
import { callSql } from "@/lib/platform/call-sql";
import { failpoint } from "@/lib/platform/failpoint";
import { postgres } from "@/lib/platform/postgres";
import { promptTokens, type TurnPrompt } from "@/lib/runtime/models/read-turn";
import { ModelFailure } from "@/lib/runtime/models/stream-turn";

/**
 * One model turn of a run: streams it into the run's log, stores and charges it, and ends the run
 * when the model asks for no tool. A turn that credits do not cover is not taken where the run
 * waits for more: the answer says for how much. Repeated after a crash it finds the stored turn and
 * neither calls nor charges twice.
 */
export async function runTurn(
  programs: RunPrograms,
  runId: string,
  turn: number,
): Promise<TurnOutcome> {
  return withRunSession(runId, { done: true } as TurnOutcome, async (session) => {
    failpoint("run.claimed");
    const run = await loadRun(programs, runId, session.known, { isFirst: turn === 0 });
    session.known = run;
    requireAtWork(run);
    return observedTurn(() => takeOrWait(run, turn, session));
  });
}

/** Where credits do not cover the turn and the run is to wait for more, nothing of it was done. */
async function takeOrWait(run: LoadedRun, turn: number, session: RunSession): Promise<TurnOutcome> {
  try {
    return await takeLoaded(run, turn, session);
  } catch (error) {
    if (!(error instanceof BudgetShort)) throw error;
    return { done: false, calls: [], short: prepareBudgetWait(run, error.leastMicros) };
  }
}

async function takeLoaded(run: LoadedRun, turn: number, session: RunSession): Promise<TurnOutcome> {
  const stored = run.transcript.turns.find((candidate) => candidate.turn === turn);
  if (stored) return afterTurn(run, stored, runLimits(run), session);
  await receiveMessages(run, turn, session);
  const limits = runLimits(run);
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

/**
 * Shows what was said to a run with the turn that begins, once: whoever repeats the turn finds it.
 * What comes later is for the turn behind it.
 * @throws RunHasEnded, LogTakenOver
 */
async function receiveMessages(run: LoadedRun, turn: number, session: RunSession): Promise<void> {
  if (run.waiting.length === 0) return;
  const writer = await openLog(session);
  const { output } = await secretRedactor(run.accountId, run.surroundings.secrets);
  const lines = run.waiting.map(({ id, text }) => ({
    type: "message.received" as const,
    message_id: id,
    role: "user" as const,
    when: "next_step" as const,
    text: output.redact(text),
  }));
  failpoint("message.waiting");
  await storeWithLog(writer, lines, undefined, (log) =>
    callSql(postgres(), "receive_messages", {
      run: run.id,
      account: run.accountId,
      turn,
      messages: run.waiting.map(({ id }) => id),
      text: run.waiting.map(({ text }) => text).join("\n\n"),
      log,
    }),
  );
  failpoint("message.received");
  run.transcript.receive(run.waiting.map((message) => ({ ...message, turn })));
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
  return endOrGoOn(run, limits, session.writer);
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
    const what = last ? await findExpired(run, last.turn) : null;
    if (what === null) return obstacle;
    return new RunFailure(
      "APPROVAL_EXPIRED",
      `${what}, and the run could not go on. ${obstacle.message}`,
    );
  }
  return new RunFailure(
    "APPROVAL_EXPIRED",
    `Nobody approved the call of ${expired.toolName} in time, and the run could not go on. ` +
      `${obstacle.message}`,
  );
}
