import "server-only";
import { chargeArgument } from "@/lib/domain/credits/ledger";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { isAgentRun, type RunLimits } from "@/lib/domain/execution/run-limits";
import { type SettledTurn, turnArgument } from "@/lib/domain/execution/store-turn";
import { RunHasEnded } from "@/lib/domain/execution/with-run-log";
import { toUsage } from "@/lib/domain/runs/run-view";
import { followUps, type SettledRow, sendEndedRun, tellEngine, terminalLine } from "@/lib/domain/runs/settle-run";
import { foldEnd } from "@/lib/engine/embedded/protocol";
import { storeWithLog } from "@/lib/engine/events/append-run-log";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { LatheEvent } from "@/lib/engine/lathe-event";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { RunResult } from "@/lib/model/run/run-result";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { postgres, type Queryable, transaction, withinAccount } from "@/lib/platform/postgres";

const COMPLETE = { name: "complete-run", text: "SELECT complete_run($1, $2)" };

/**
 * What a run that is at its end comes to: the text of its last message, its artifacts, and where the config has an `output_schema` the data that the text
 * says. Null when that text does not fit the schema and the model is to be asked again.
 * @throws RunFailure EXECUTION_FAILED when it does not fit and no step is left
 */
export function resultOf(run: LoadedRun, limits: RunLimits): RunResult | null {
  const text = lastText(run);
  const schema = outputSchema(run);
  const output = schema ? readData(text, schema) : null;
  if (output && !output.ok) {
    if (run.turns.length < limits.maxSteps) return null;
    throw new RunFailure("EXECUTION_FAILED", `The answer does not fit the agent's output_schema: ${output.problem}`);
  }
  return {
    text,
    ...(run.agent && { agent_id: run.agent.id, agent_name: run.agent.name }),
    artifacts: run.artifacts,
    ...(output && { data: output.data }),
  };
}

/**
 * Ends a run as completed, with its last turn where that is not stored yet, in one statement; where somebody is to hear of it, in one transaction.
 * @param settled the last turn; its charge must come out as it says
 * @returns false when the last message does not fit the schema
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

/** The schema that a run's last message must fit; null without one. */
export function outputSchema(run: LoadedRun) {
  return run.agent && isAgentRun(run) ? effectiveConfig(run.agent.config).output_schema : null;
}

/** The text of the run's last turn that spoke. */
export function lastText(run: Pick<LoadedRun, "turns">): string {
  for (const turn of run.turns.toReversed()) {
    const part = turn.content.find((candidate) => candidate.type === "text");
    if (part?.type === "text") return part.text;
  }
  return "";
}

type ReadData = { ok: true; data: unknown } | { ok: false; problem: string };

/** The JSON value that a message consists of (bare, or in one code fence), checked against a schema. */
export function readData(text: string, schema: JsonObject): ReadData {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
  let data: unknown;
  try {
    data = JSON.parse(bare);
  } catch {
    return { ok: false, problem: "it is not one JSON value" };
  }
  const violations = validateAgainst(schema, data);
  if (violations.length === 0) return { ok: true, data };
  return {
    ok: false,
    problem: violations
      .slice(0, 5)
      .map(({ path, message }) => (path ? `${path}: ${message}` : message))
      .join("; "),
  };
}
