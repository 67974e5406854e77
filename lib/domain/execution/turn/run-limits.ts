import "server-only";
import { type Cover, coverCall, coveredOf, type Payer } from "@/lib/domain/credits/ledger";
import type { LoadedRun, RunLimits } from "@/lib/domain/execution/run/loaded-run";
import { callsOf, type StoredTurn } from "@/lib/domain/execution/run/transcript";
import { RunHasEnded, type RunSession } from "@/lib/domain/execution/session/with-run-log";
import type { TurnOutcome } from "@/lib/domain/execution/turn/outcomes";
import { models } from "@/lib/domain/models/models";
import { engineState } from "@/lib/engine/engine-state";
import { eventHub } from "@/lib/engine/events/event-hub";
import { LogTakenOver } from "@/lib/engine/events/event-rows";
import { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { env } from "@/lib/env";
import { DEFAULT_TIMEOUT_SECONDS } from "@/lib/model/limits";
import type { RulesTask } from "@/lib/model/models/rules-task";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { toMicros } from "@/lib/model/run/run-result";
import { leadsRuns } from "@/lib/model/run/run-status";
import { callSql } from "@/lib/platform/call-sql";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import {
  affordableTokens,
  answerTokens,
  leastPrice,
  priceAtMost,
} from "@/lib/runtime/models/prices";
import {
  promptTokensAtMost,
  TurnAborted,
  type TurnPrompt,
  type TurnTool,
  type TurnToolChoice,
} from "@/lib/runtime/models/read-turn";

export function runLimits(run: LoadedRun): RunLimits {
  const limits = run.program.config(run)?.limits;
  const seconds = limits?.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS;
  const caps = [
    run.maxCreditsMicros,
    limits?.max_credits == null ? null : toMicros(limits.max_credits),
  ].filter((cap) => cap !== null);
  return {
    maxSteps: run.program.maxSteps(run),
    deadline: new Date((run.startedAt ?? new Date()).getTime() + seconds * 1000 + run.waitedMs),
    maxCreditsMicros: caps.sort((a, b) => (a < b ? -1 : 1))[0] ?? null,
  };
}

/**
 * Whether a run's turn is the one in which it has to answer, without tools: its last of several, or
 * the one after it went in a circle.
 */
export function isLastTurn(run: LoadedRun, turn: number, { maxSteps }: RunLimits): boolean {
  return (
    run.program.answersLast &&
    turn > 0 &&
    (turn >= maxSteps - 1 || run.transcript.isStuckBefore(turn))
  );
}

/** @throws RunFailure STEP_LIMIT_EXCEEDED where the last turn asks for tools all the same */
export function requireAnswer(
  run: LoadedRun,
  { turn, content }: Pick<StoredTurn, "turn" | "content">,
  limits: RunLimits,
): void {
  if (content.some((part) => part.type === "tool-call") && isLastTurn(run, turn, limits))
    throw run.program.stepLimit(run, limits.maxSteps);
}

/** Who pays for a run's calls. */
export function payerOf(run: LoadedRun, limits: RunLimits): Payer {
  const rootId = run.parentRunId ?? (leadsRuns(run.kind) ? run.id : null);
  return { runId: run.id, accountId: run.accountId, maxMicros: limits.maxCreditsMicros, rootId };
}

/** What follows from a turn; null where the run is at its end, if what it said fits. */
export function nextOf(
  run: LoadedRun,
  { content }: Pick<StoredTurn, "content">,
): TurnOutcome | null {
  if (callsOf({ content }).length === 0) return null;
  const open = run.transcript.openCalls({ content });
  return { done: false, calls: open.map(({ toolCallId, name }) => ({ toolCallId, name })) };
}

/** What covers the model calls of one turn, each attempt by its own model's price. */
interface CallCover {
  /**
   * Covers one attempt, and cuts the answer to what is covered. Call `begin` first, for the turn's
   * first model.
   * @returns the longest answer that the model may give, in tokens
   * @throws RunFailure BUDGET_EXCEEDED, INSUFFICIENT_CREDITS before the call, when not even a short
   * answer is covered
   */
  cover(modelId: string): Promise<number>;
  /**
   * Begins the turn, which covers the first call of this model with it.
   * @returns the message that an attempt at this turn began and never finished: its deltas are void
   * @throws as `beginTurn`
   */
  begin(modelId: string): Promise<string | null>;
  /**
   * What the run goes on holding after a call of this model, so that its next turn finds at least
   * as much, in millionths of a credit.
   */
  keepMicros(modelId: string): bigint;
}

/** @param maxOutputTokens by the agent's config */
export function callCover(input: ModelCallInput, maxOutputTokens: number | null): CallCover {
  const { run, limits, prompt, tools } = input;
  const inputTokens = promptTokensAtMost({ prompt, tools });
  const answer = (modelId: string) => answerTokens(models().find(modelId), maxOutputTokens);
  const least = (modelId: string) => leastPrice(modelId, inputTokens, answer(modelId), env());
  const most = (modelId: string) => priceAtMost(modelId, inputTokens, answer(modelId), env());
  /** What the beginning of the turn has covered, for the model that is called first. */
  let begun: { modelId: string; covered: bigint } | null = null;
  return {
    async begin(modelId) {
      const { covered, voided } = await beginTurn(input, least(modelId), most(modelId));
      begun = { modelId, covered };
      return voided;
    },
    async cover(modelId) {
      const first = begun?.modelId === modelId ? begun.covered : null;
      begun = null;
      const covered =
        first ?? (await coverCall(payerOf(run, limits), least(modelId), most(modelId)));
      if (covered === null) throw new TurnAborted(null); // the run was ended meanwhile, and holds nothing any more
      return Math.min(answer(modelId), affordableTokens(modelId, inputTokens, covered, env()));
    },
    keepMicros: least,
  };
}

/**
 * Begins a turn by one statement: takes the run's log unless this process holds it already, moves a
 * pending run to work, and covers the turn's first call.
 * @param least of the first call, in millionths of a credit, as `coverCall` takes it
 * @returns what the first call may cost, in millionths of a credit, and the message that an attempt
 * at the turn began and never finished
 * @throws RunHasEnded; LogTakenOver; RunFailure as `coverCall`
 */
export async function beginTurn(
  { run, limits, session }: ModelCallInput,
  least: bigint,
  most: bigint,
): Promise<{ covered: bigint; voided: string | null }> {
  const { maxMicros, rootId } = payerOf(run, limits);
  const held = session.writer;
  const begin = () =>
    callSql(postgres(), "begin_model_turn", {
      run: run.id,
      account: run.accountId,
      process: engineState().processId,
      writer: held?.fence ?? null,
      max: maxMicros,
      root: rootId,
      least,
      most,
    });
  const [begun] = await withinAccount(run.accountId, begin).catch(
    (error: Error & { code?: string }) => {
      if (error.code !== "LT002") throw error;
      held?.lose();
      throw new LogTakenOver(run.id);
    },
  );
  // Without a writer its log has had its last line.
  if (begun?.writer == null || begun.next === null) throw new RunHasEnded();
  if (!held) session.writer = new RunLogWriter(eventHub(), run.id, begun.writer, begun.next);
  if (begun.status !== "running" || !begun.holds || begun.covered === null) throw new RunHasEnded();
  // Whoever had the log before may have been charged for a cut call since the run was read.
  if (BigInt(begun.spent ?? 0) !== run.cost.spentMicros) await run.cost.refresh();
  const cover: Cover = { covered: begun.covered, room: begun.room };
  const covered = coveredOf(cover, least);
  if (covered === null) throw new RunHasEnded();
  // A message that was stored with its turn is whole.
  const isWhole = run.transcript.turns.some(({ messageId }) => messageId === begun.open_message);
  return { covered, voided: isWhole ? null : begun.open_message };
}

/** One turn that a model is to take. */
export interface ModelCallInput {
  run: LoadedRun;
  turn: number;
  limits: RunLimits;
  prompt: TurnPrompt;
  tools: TurnTool[];
  toolChoice: TurnToolChoice;
  /** What the log shows before the model speaks. */
  notices: readonly RunEventBody[];
  /** Names of the tools that change nothing. */
  readers: ReadonlySet<string>;
  /** What a model that reads no prompts is to do. */
  task: RulesTask;
  session: RunSession;
}
