import "server-only";
import { chargeArgument } from "@/lib/domain/credits/ledger";
import { readAnswer } from "@/lib/domain/execution/answer";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { RunLimits } from "@/lib/domain/execution/run-limits";
import { type SettledTurn, turnArgument } from "@/lib/domain/execution/store-turn";
import { RunHasEnded } from "@/lib/domain/execution/with-run-log";
import { toUsage } from "@/lib/domain/runs/run-view";
import { followUps, type SettledRow, sendEndedRun, tellEngine, terminalLine } from "@/lib/domain/runs/settle-run";
import { foldEnd } from "@/lib/engine/embedded/protocol";
import { storeWithLog } from "@/lib/engine/events/append-run-log";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { LatheEvent } from "@/lib/engine/lathe-event";
import type { RunResult } from "@/lib/model/run/run-result";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { postgres, type Queryable, transaction, withinAccount } from "@/lib/platform/postgres";

const COMPLETE = { name: "complete-run", text: "SELECT complete_run($1, $2)" };

/**
 * What a run that is at its end comes to: its answer and its artifacts. Null when the model is to be asked again.
 * @throws RunFailure as `readAnswer`
 */
export function resultOf(run: LoadedRun, limits: RunLimits): RunResult | null {
  const answer = readAnswer(run, limits.maxSteps);
  if (!answer.isWhole) return null;
  return {
    text: answer.text,
    ...(run.agent && { agent_id: run.agent.id, agent_name: run.agent.name }),
    artifacts: run.artifacts,
    ...("data" in answer && { data: answer.data }),
  };
}

/**
 * Ends a run as completed, with its last turn where that is not stored yet, in one statement; where somebody is to hear of it, in one transaction.
 * @param settled the last turn; its charge must come out as it says
 * @returns false when the model is to be asked again
 * @throws RunHasEnded when the run was ended meanwhile, and then nothing is stored; LogTakenOver
 */
export async function completeRun(
  run: LoadedRun,
  limits: RunLimits,
  writer: RunLogWriter,
  settled: SettledTurn | null = null,
): Promise<boolean> {
  const result = resultOf(run, limits);
  if (!result) return false;
  const row = toSettledRow(run, result);
  const usage = settled?.usage ?? toUsage(run.usage);
  const fold = foldEnd();
  let events: LatheEvent[] = [];
  const lines = [...(settled ? [{ type: "usage.updated" as const, usage }] : []), terminalLine(row, usage)];
  await storeWithLog(writer, lines, undefined, async (log, stored) => {
    const argument = {
      log,
      run: run.id,
      result,
      message_id: newId(),
      conversation: run.conversationId,
      turn: settled && turnArgument(run.id, settled),
      charge: settled && chargeArgument(settled.charge),
      paid: settled?.charge.micros.toString() ?? null,
      fold: fold?.argument ?? null,
    };
    const complete = (on: Queryable) => on.query({ ...COMPLETE, values: [JSON.stringify(argument), stored] });
    await withinAccount(run.accountId, async () => {
      if (hasFollowers(row))
        await transaction(async (tx) => {
          await complete(tx);
          events = await followUps(tx, row);
          failpoint("end.written");
        });
      else await complete(postgres());
    });
  }).catch((error: Error & { code?: string }) => {
    throw error.code === "LT004" ? new RunHasEnded() : error;
  });
  failpoint("end.committed");
  fold?.done();
  sendEndedRun(row);
  await tellEngine(events);
  return true;
}

function hasFollowers({ webhook_url, should_notify, parent_run_id, kind }: SettledRow): boolean {
  return webhook_url !== null || should_notify || parent_run_id !== null || kind === "super_agent";
}

function toSettledRow(run: LoadedRun, result: RunResult): SettledRow {
  return {
    id: run.id,
    account_id: run.accountId,
    kind: run.kind,
    status: "completed",
    agent_id: run.agent?.id ?? null,
    conversation_id: run.conversationId,
    parent_run_id: run.parentRunId,
    webhook_url: run.webhookUrl,
    should_notify: run.shouldNotify,
    result,
    error: null,
    model: run.model,
    trace_parent: run.traceParent,
    created_at: run.createdAt,
    completed_at: new Date(),
  };
}
