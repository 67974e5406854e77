import "server-only";
import { type Cover, coverCall, coveredOf } from "@/lib/domain/credits/ledger";
import { type LoadedRun, readCost } from "@/lib/domain/execution/load-run";
import { payerOf, type RunLimits } from "@/lib/domain/execution/run-limits";
import { RunHasEnded, type RunSession } from "@/lib/domain/execution/with-run-log";
import { models } from "@/lib/domain/models/models";
import { engineState } from "@/lib/engine/engine-state";
import { eventHub } from "@/lib/engine/events/event-hub";
import { LogTakenOver } from "@/lib/engine/events/event-rows";
import { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { env } from "@/lib/env";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import { affordableTokens, answerTokens, leastPrice, priceUsage } from "@/lib/runtime/models/prices";
import { promptTokensAtMost, TurnAborted, type TurnPrompt, type TurnTool, type TurnToolChoice } from "@/lib/runtime/models/read-turn";

/** What covers the model calls of one turn, each attempt by its own model's price. */
interface CallCover {
  /**
   * Covers one attempt, and cuts the answer to what is covered. Call `begin` first, for the turn's first model.
   * @returns the longest answer that the model may give, in tokens
   * @throws RunFailure BUDGET_EXCEEDED, INSUFFICIENT_CREDITS before the call, when not even a short answer is covered
   */
  cover(modelId: string): Promise<number>;
  /** Begins the turn, which covers the first call of this model with it. @throws as `beginTurn` */
  begin(modelId: string): Promise<void>;
  /** What the run goes on holding after a call of this model, so that its next turn finds at least as much, in millionths of a credit. */
  keepMicros(modelId: string): bigint;
}

/** @param maxOutputTokens by the agent's config */
export function callCover(input: ModelCallInput, maxOutputTokens: number | null): CallCover {
  const { run, limits, prompt, tools } = input;
  const inputTokens = promptTokensAtMost({ prompt, tools });
  const answer = (modelId: string) => answerTokens(models().find(modelId), maxOutputTokens);
  const least = (modelId: string) => leastPrice(modelId, inputTokens, answer(modelId), env());
  const most = (modelId: string) => priceUsage(modelId, { inputTokens, outputTokens: answer(modelId), cachedInputTokens: 0 }, env());
  /** What the beginning of the turn has covered, for the model that is called first. */
  let begun: { modelId: string; covered: bigint } | null = null;
  return {
    async begin(modelId) {
      begun = { modelId, covered: await beginTurn(input, least(modelId), most(modelId)) };
    },
    async cover(modelId) {
      const first = begun?.modelId === modelId ? begun.covered : null;
      begun = null;
      const covered = first ?? (await coverCall(payerOf(run, limits), least(modelId), most(modelId)));
      if (covered === null) throw new TurnAborted(null); // the run was ended meanwhile, and holds nothing any more
      return Math.min(answer(modelId), affordableTokens(modelId, inputTokens, covered, env()));
    },
    keepMicros: least,
  };
}

interface Begun {
  status: string;
  writer: number;
  next: number;
  open_message: string | null;
  /** In millionths of a credit. */
  spent: string;
  covered: string | null;
  room: string | null;
  holds: boolean;
}

/**
 * Begins a turn by one statement: takes the run's log unless this process holds it already, moves a pending run to work, and covers the turn's first call.
 * @param least of the first call, in millionths of a credit, as `coverCall` takes it
 * @returns what the first call may cost, in millionths of a credit
 * @throws RunHasEnded; LogTakenOver; RunFailure as `coverCall`
 */
export async function beginTurn({ run, limits, session }: ModelCallInput, least: bigint, most: bigint): Promise<bigint> {
  const { maxMicros, rootId } = payerOf(run, limits);
  const held = session.writer;
  const argument = {
    run: run.id,
    account: run.accountId,
    process: engineState().processId,
    writer: held?.fence ?? null,
    cover: { max: maxMicros?.toString() ?? null, root: rootId, least: least.toString(), most: most.toString() },
  };
  const query = { name: "begin-turn", text: "SELECT begin_turn($1) AS begun", values: [JSON.stringify(argument)] };
  const { rows } = await withinAccount(run.accountId, () => postgres().query<{ begun: Begun }>(query)).catch(
    (error: Error & { code?: string }) => {
      if (error.code !== "LT002") throw error;
      held?.lose();
      throw new LogTakenOver(run.id);
    },
  );
  const begun = rows[0]?.begun;
  if (!begun || begun.status === "closed") throw new RunHasEnded();
  if (!held) session.writer = new RunLogWriter(eventHub(), run.id, begun.writer, begun.next);
  if (begun.status !== "running" || !begun.holds || begun.covered === null) throw new RunHasEnded();
  // As it stands now: whoever had the log before may have begun one since the run was read.
  run.openMessageId = run.turns.some((turn) => turn.messageId === begun.open_message) ? null : begun.open_message;
  // So does it cost now what a cut call of theirs was charged for since.
  if (BigInt(begun.spent) !== run.spentMicros) await readCost(run);
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
  session: RunSession;
}
