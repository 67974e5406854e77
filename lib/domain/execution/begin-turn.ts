import "server-only";
import { withinAccount } from "@/lib/domain/credits/account-statements";
import { type Cover, coveredOf } from "@/lib/domain/credits/cover-call";
import { readCost } from "@/lib/domain/execution/load-run";
import { payerOf } from "@/lib/domain/execution/run-limits";
import type { SpeakInput } from "@/lib/domain/execution/speak-input";
import { RunHasEnded } from "@/lib/domain/execution/with-run-log";
import { engineState } from "@/lib/engine/engine-state";
import { eventHub } from "@/lib/engine/events/event-hub";
import { LogTakenOver } from "@/lib/engine/events/log-taken-over";
import { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { postgres } from "@/lib/platform/postgres";

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
export async function beginTurn({ run, limits, session }: SpeakInput, least: bigint, most: bigint): Promise<bigint> {
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
