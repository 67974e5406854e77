import "server-only";
import { createHash } from "node:crypto";
import { type Cover, coveredOf } from "@/lib/domain/credits/ledger";
import { payerOf, shortOf } from "@/lib/domain/execution/pay/paid-call";
import type { LoadedRun, RunLimits } from "@/lib/domain/execution/run/loaded-run";
import type { FrozenPrompt } from "@/lib/domain/execution/run/prompt-context";
import { RunHasEnded } from "@/lib/domain/execution/session/with-run-log";
import type { TurnInput } from "@/lib/domain/execution/turn/turn-input";
import { engineState } from "@/lib/engine/engine-state";
import { eventHub } from "@/lib/engine/events/event-hub";
import { LogTakenOver } from "@/lib/engine/events/event-rows";
import { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { RunFailure } from "@/lib/model/run/run-failure";
import { callSql } from "@/lib/platform/call-sql";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import type { RunPromptPart } from "@/lib/platform/sql-functions";

/**
 * Begins a turn by one statement: takes the run's log unless this process holds it already, moves a
 * pending run to work, and covers the turn's first call.
 * @param least of the first call, in millionths of a credit, as `coverCall` takes it
 * @returns what the first call may cost, in millionths of a credit, and the message that an attempt
 * at the turn began and never finished
 * @throws RunHasEnded; LogTakenOver; RunFailure as `coverCall`, or BudgetShort
 */
export async function beginTurn(
  { run, limits, session }: Pick<TurnInput, "run" | "limits" | "session">,
  least: bigint,
  most: bigint,
): Promise<{ covered: bigint; voided: string | null }> {
  const { maxMicros, rootId } = payerOf(run, limits);
  const held = session.writer;
  const frozen = run.context.toFreeze;
  const prompt = frozen && toPromptPart(run, frozen);
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
      prompt,
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
  if (frozen) run.context.noteFrozen();
  // Whoever had the log before may have been charged for a cut call since the run was read.
  if (BigInt(begun.spent ?? 0) !== run.cost.spentMicros) await run.cost.refresh();
  const cover: Cover = { covered: begun.covered, room: begun.room };
  const covered = orShort(() => coveredOf(cover, least), limits, least);
  if (covered === null) throw new RunHasEnded();
  // A message that was stored with its turn is whole.
  const isWhole = run.transcript.turns.some(({ messageId }) => messageId === begun.open_message);
  return { covered, voided: isWhole ? null : begun.open_message };
}

function orShort<T>(cover: () => T, limits: RunLimits, least: bigint): T {
  try {
    return cover();
  } catch (error) {
    throw error instanceof RunFailure ? shortOf(limits, least, error) : error;
  }
}

/** What is frozen with a turn, as the functions of the database take it. */
function toPromptPart(
  run: LoadedRun,
  { turn, system, toolsText: text }: FrozenPrompt,
): RunPromptPart {
  const hash = createHash("sha256").update(system).update("\0").update(text).digest("hex");
  const kept = run.program.keepsVersion ? (run.agent?.versionNumber ?? null) : null;
  return { turn, hash, system: storable(system), tools: storable(text), agent_version: kept };
}

/** What the database takes of any text. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\ufffd");
}
