import "server-only";
import { type Cover, coverCall, coveredOf, type Payer } from "@/lib/domain/credits/ledger";
import type { LoadedRun, StoredTurn } from "@/lib/domain/execution/load-run";
import { isStuck } from "@/lib/domain/execution/tool-call";
import { RunHasEnded, type RunSession } from "@/lib/domain/execution/with-run-log";
import { models } from "@/lib/domain/models/models";
import { USAGE_OF_RUN, type UsageSum } from "@/lib/domain/runs/run-view";
import { engineState } from "@/lib/engine/engine-state";
import { eventHub } from "@/lib/engine/events/event-hub";
import { LogTakenOver } from "@/lib/engine/events/event-rows";
import { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { env } from "@/lib/env";
import { DEFAULT_MAX_STEPS, DEFAULT_TIMEOUT_SECONDS } from "@/lib/model/limits";
import type { RulesTask } from "@/lib/model/models/rules-task";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { RunFailure } from "@/lib/model/run/run-failure";
import { toMicros } from "@/lib/model/run/run-result";
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

export interface RunLimits {
  /** Model turns. */
  maxSteps: number;
  /**
   * When the run's time is over; it starts with its first step, and stands still while the run
   * waits for a person.
   */
  deadline: Date;
  /** The lesser of the run's and the agent's; null: only the wallet limits. */
  maxCreditsMicros: bigint | null;
}

/** Turns that a build may take in vain: what its model proposes does not fit. */
const BUILD_VAIN_STEPS_MAX = 4;
/**
 * Turns beside those, of which something came: a draft, a guide, a try; or that were lost because
 * others changed the agent meanwhile.
 */
const BUILD_USEFUL_STEPS_MAX = 16;

export function runLimits(run: LoadedRun): RunLimits {
  const limits = run.agent && isAgentRun(run) ? run.agent.config.limits : undefined;
  const seconds = limits?.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS;
  const caps = [
    run.maxCreditsMicros,
    limits?.max_credits == null ? null : toMicros(limits.max_credits),
  ].filter((cap) => cap !== null);
  return {
    maxSteps: isBuild(run) ? buildSteps(run) : (limits?.max_steps ?? DEFAULT_MAX_STEPS),
    deadline: new Date((run.startedAt ?? new Date()).getTime() + seconds * 1000 + run.waitedMs),
    maxCreditsMicros: caps.sort((a, b) => (a < b ? -1 : 1))[0] ?? null,
  };
}

/**
 * Whether a run's turn is the one in which it has to answer, without tools: its last of several, or
 * the one after it went in a circle.
 */
export function isLastTurn(run: LoadedRun, turn: number, { maxSteps }: RunLimits): boolean {
  const before = run.turns.filter((earlier) => earlier.turn < turn);
  return !isBuild(run) && turn > 0 && (turn >= maxSteps - 1 || isStuck({ ...run, turns: before }));
}

/** @throws RunFailure STEP_LIMIT_EXCEEDED where the last turn asks for tools all the same */
export function requireAnswer(
  run: LoadedRun,
  { turn, content }: Pick<StoredTurn, "turn" | "content">,
  limits: RunLimits,
): void {
  if (content.some((part) => part.type === "tool-call") && isLastTurn(run, turn, limits))
    throw stepLimit(run, limits);
}

/** What a run fails of that has taken its last turn and wants to go on. */
export function stepLimit(run: LoadedRun, { maxSteps }: Pick<RunLimits, "maxSteps">): RunFailure {
  if (isBuild(run)) {
    const what =
      run.kind === "agent_creation" ? "build an agent" : "work out a change of the agent";
    return new RunFailure(
      "AGENT_BUILD_FAILED",
      `The model did not ${what} from this request. Nothing was stored; say more precisely what you want.`,
    );
  }
  return run.turns.length < maxSteps
    ? new RunFailure(
        "STEP_LIMIT_EXCEEDED",
        "The model made the same call with the same result again and again, and did not answer when it was asked to.",
      )
    : new RunFailure(
        "STEP_LIMIT_EXCEEDED",
        `The run took ${maxSteps} steps, its limit, without coming to an end.`,
      );
}

/** Who pays for a run's calls. */
export function payerOf(run: LoadedRun, limits: RunLimits): Payer {
  const rootId = run.parentRunId ?? (run.kind === "super_agent" ? run.id : null);
  return { runId: run.id, accountId: run.accountId, maxMicros: limits.maxCreditsMicros, rootId };
}

function buildSteps(run: LoadedRun): number {
  const useful = run.turns.filter(({ content, agentVersionId }) => {
    const results = content.flatMap((part) =>
      part.type === "tool-call" ? [run.toolResults.get(part.toolCallId)] : [],
    );
    return (
      agentVersionId !== (run.agent?.currentVersionId ?? null) ||
      results.some((result) => result?.succeeded)
    );
  });
  return BUILD_VAIN_STEPS_MAX + Math.min(useful.length, BUILD_USEFUL_STEPS_MAX);
}

/**
 * Whether the run follows an agent's own skill and config (or runs without one), rather than
 * building or editing one.
 */
export function isAgentRun(run: Pick<LoadedRun, "kind">): boolean {
  return run.kind === "agent" || run.kind === "app";
}

/** Whether the run builds or edits an agent, by tools of its own. */
export function isBuild(run: Pick<LoadedRun, "kind">): boolean {
  return run.kind === "agent_creation" || run.kind === "agent_edit";
}

/** Whether a person of the account, or a program with its key, asked for the run. */
export function isAskedByOwner(run: Pick<LoadedRun, "origin">): boolean {
  return run.origin === "key" || run.origin === "session";
}

/** A tool call of a turn that has no result yet, for the engine's next steps. */
interface PlannedCall {
  toolCallId: string;
  name: string;
  /** It only reads, so it may be made together with those beside it that do too. */
  reads?: true;
}

/** What the engine does next: nothing more, or these tool calls and then another turn. */
export type TurnOutcome = { done: true } | { done: false; calls: PlannedCall[] };

/** What follows from a turn; null where the run is at its end, if what it said fits. */
export function nextOf(
  run: LoadedRun,
  { content }: Pick<StoredTurn, "content">,
): TurnOutcome | null {
  const asked = content.filter((part) => part.type === "tool-call");
  const calls = asked
    .filter((part) => !run.toolResults.has(part.toolCallId))
    .map((part) => ({ toolCallId: part.toolCallId, name: part.toolName }));
  return asked.length > 0 ? { done: false, calls } : null;
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
  /** Begins the turn, which covers the first call of this model with it. @throws as `beginTurn` */
  begin(modelId: string): Promise<void>;
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
      begun = { modelId, covered: await beginTurn(input, least(modelId), most(modelId)) };
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
 * @returns what the first call may cost, in millionths of a credit
 * @throws RunHasEnded; LogTakenOver; RunFailure as `coverCall`
 */
export async function beginTurn(
  { run, limits, session }: ModelCallInput,
  least: bigint,
  most: bigint,
): Promise<bigint> {
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
  // As it stands now: whoever had the log before may have begun one since the run was read.
  run.openMessageId = run.turns.some((turn) => turn.messageId === begun.open_message)
    ? null
    : begun.open_message;
  // So does it cost now what a cut call of theirs was charged for since.
  if (BigInt(begun.spent ?? 0) !== run.spentMicros) await readCost(run);
  const cover: Cover = { covered: begun.covered, room: begun.room };
  const covered = coveredOf(cover, least);
  if (covered === null) throw new RunHasEnded();
  return covered;
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

/**
 * Reads anew what a run has cost, into `run`: its log was taken since, and nobody else charges it
 * any more.
 */
export async function readCost(run: LoadedRun): Promise<void> {
  const { rows } = await postgres().query<{ spent: string; usage: UsageSum[] | null }>({
    name: "read-run-cost",
    text: `SELECT (SELECT coalesce(sum(credits_micros), 0) FROM run_usage u WHERE u.run_id = r.id) AS spent, ${USAGE_OF_RUN} AS usage FROM runs r WHERE r.id = $1 AND r.account_id = $2`,
    values: [run.id, run.accountId],
  });
  run.spentMicros = BigInt(rows[0]?.spent ?? 0);
  run.usage = rows[0]?.usage ?? [];
}
