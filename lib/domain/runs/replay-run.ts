import "server-only";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency, Replay } from "@/lib/domain/runs/accept-run";
import { chooseModel, requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { isTerminal } from "@/lib/model/run/run-status";
import { postgres } from "@/lib/platform/postgres";

export interface ReplayChanges {
  /** Null: with a version that version's own, else the run's. */
  model: string | null;
  /** A version of the agent, by its number; null: the agent as it is now. */
  version: number | null;
  webhookUrl: string | null;
  shouldNotify: boolean;
  /** Null: the run's. */
  metadata: Record<string, string> | null;
  /** Null: the run's. */
  maxCreditsMicros: bigint | null;
}

/**
 * Starts an ended run of an agent, or a general one, once more: the same input in the same
 * workspace, shown the conversation that the first one was shown, in a conversation of its own. Its
 * tools act again. Nothing is stored when it is refused.
 * @throws ServiceError RUN_NOT_FOUND, CONFLICT, VERSION_NOT_FOUND, and as `requestRun`
 */
export async function replayRun(
  principal: Principal,
  runId: string,
  changes: ReplayChanges,
  idempotency?: Idempotency,
): Promise<RunView | Replay> {
  const run = await getRun(principal, runId);
  requireRepeatable(run);
  if (changes.version !== null && run.agentId === null)
    throw invalidInput(
      "version",
      "this run had no agent, so there is no version to choose: leave it out",
    );
  const { historyOf, maxCreditsMicros } = await readKept(run);
  return requestRun(
    principal,
    "agent",
    {
      agentId: run.agentId,
      input: run.input as JsonObject, // a record when it was accepted
      conversationId: null,
      workspaceId: run.workspaceId,
      webhookUrl: changes.webhookUrl,
      shouldNotify: changes.shouldNotify,
      // A version without a choice brings its own model along.
      model: changes.model ?? (changes.version === null ? chooseModel(run.model, null) : null),
      metadata: changes.metadata ?? run.metadata,
      maxCreditsMicros: changes.maxCreditsMicros ?? maxCreditsMicros,
      replayOf: { runId, agentVersion: changes.version, historyOf },
    },
    idempotency,
  );
}

/** @throws ServiceError CONFLICT */
function requireRepeatable({ kind, status }: RunView): void {
  if (kind !== "agent" && kind !== "app")
    throw new ServiceError(
      "CONFLICT",
      "This run created or changed an agent. Only runs of agents can be replayed; send the request again instead.",
    );
  if (!isTerminal(status))
    throw new ServiceError(
      "CONFLICT",
      "This run is still at work. Replay it when it has ended, or cancel it first.",
    );
}

/** What no view of a run tells: its limit, and whose earlier conversation it was shown. */
async function readKept(
  run: RunView,
): Promise<{ historyOf: string | null; maxCreditsMicros: bigint | null }> {
  const { rows } = await postgres().query<{
    history_of: string | null;
    max_credits_micros: string | null;
  }>(
    `SELECT r.max_credits_micros, coalesce(r.history_of, (SELECT r.id WHERE EXISTS (
       SELECT 1 FROM messages m WHERE m.conversation_id = r.conversation_id
         AND m.position < (SELECT own.position FROM messages own WHERE own.run_id = r.id AND own.role = 'user')))) AS history_of
     FROM runs r WHERE r.id = $1 AND r.account_id = $2`,
    [run.id, run.accountId],
  );
  const kept = rows[0]?.max_credits_micros ?? null;
  return {
    historyOf: rows[0]?.history_of ?? null,
    maxCreditsMicros: kept === null ? null : BigInt(kept),
  };
}
