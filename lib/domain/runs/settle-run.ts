import "server-only";
import { releaseHold } from "@/lib/domain/credits/ledger";
import { insertNotification } from "@/lib/domain/notifications/insert-notification";
import { toUsage, USAGE_OF_RUN } from "@/lib/domain/runs/run-view";
import { type EndedRunRow, sendEndedRun } from "@/lib/domain/runs/send-ended-run";
import { deliveryEvent } from "@/lib/domain/webhooks/deliveries";
import { runWebhookWriter } from "@/lib/domain/webhooks/run-webhook";
import { dispatch } from "@/lib/engine/client";
import { appendRunLog } from "@/lib/engine/events/append-run-log";
import { LogTakenOver } from "@/lib/engine/events/event-rows";
import { openRunLog, type RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { RunEventBody } from "@/lib/model/run/run-event";
import type { RunFailureCode } from "@/lib/model/run/run-failure";
import type { RunResult, Usage } from "@/lib/model/run/run-result";
import { leadsRuns } from "@/lib/model/run/run-status";
import { callSql } from "@/lib/platform/call-sql";
import { newId } from "@/lib/platform/ids";
import {
  afterCommit,
  postgres,
  type Transaction,
  transaction,
  withinAccount,
} from "@/lib/platform/postgres";

export type Outcome =
  /**
   * `lines` are shown right before the terminal line, and stored with it: they say what this end
   * makes true.
   */
  | { status: "completed"; result: RunResult; agentId?: string; lines?: readonly RunEventBody[] }
  | { status: "failed" | "cancelled"; error: { code: RunFailureCode; message: string } };

export interface SettledRow extends EndedRunRow {
  parent_run_id: string | null;
  webhook_url: string | null;
  should_notify: boolean;
  result: RunResult | null;
  error: { code: RunFailureCode; message: string } | null;
}

/**
 * Somebody has said something to the run that its model has not been shown: it is not completed,
 * and nothing was stored.
 */
export class MessagesWait extends Error {
  override readonly name = "MessagesWait";
}

/** What the functions of the database raise where messages wait (LT005), as `MessagesWait`. */
export function toMessagesWait(error: unknown): unknown {
  const waits = error instanceof Error && "code" in error && error.code === "LT005";
  return waits ? new MessagesWait(error.message) : error;
}

const COLUMNS =
  "id, account_id, kind, status, agent_id, conversation_id, parent_run_id, webhook_url, " +
  "should_notify, result, error, model, trace_parent, created_at, completed_at";

/**
 * Ends a run: status, log, credits, conversation, webhook and notification in one transaction. Of
 * two that try, one wins.
 * @param writer the caller's open log; null when the caller writes none: then only a run whose log
 * no living process holds is ended
 * @param within more that must become true with it (an agent that was built)
 * @returns whether the run is ended and its log closed by this call
 * @throws MessagesWait where it is to be completed
 */
export async function settleRun(
  runId: string,
  outcome: Outcome,
  writer: RunLogWriter | null,
  within?: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  const accountId = await accountOf(runId);
  if (accountId === null) return false;
  return withWriter(runId, writer, async (held) => {
    const settle = async (tx: Transaction) => {
      const row = await moveRun(tx, { id: runId, accountId }, outcome);
      if (!row) return false;
      await within?.(tx);
      await closeRun(tx, row, held, outcome.status === "completed" ? outcome.lines : undefined);
      return true;
    };
    return withinAccount(accountId, () => transaction(settle));
  });
}

/**
 * Closes the log of a run that another call (a cancel, a crashed step) has already ended. False
 * when it was closed before, or a living process holds it.
 */
export async function closeEndedRun(runId: string, writer: RunLogWriter | null): Promise<boolean> {
  const { rows } = await postgres().query<SettledRow>({
    name: "ended-run",
    text: `SELECT ${COLUMNS} FROM runs WHERE id = $1 AND completed_at IS NOT NULL`,
    values: [runId],
  });
  const [row] = rows;
  if (!row) return false;
  try {
    return await withWriter(runId, writer, async (held) => {
      await withinAccount(row.account_id, () => transaction((tx) => closeRun(tx, row, held)));
      return true;
    });
  } catch (error) {
    if (error instanceof LogTakenOver) return false;
    throw error;
  }
}

/** Whose run it is, read before a connection is taken for its end; null when it is gone. */
async function accountOf(runId: string): Promise<string | null> {
  const { rows } = await postgres().query<{ account_id: string }>({
    name: "account-of-run",
    text: "SELECT account_id FROM runs WHERE id = $1",
    values: [runId],
  });
  return rows[0]?.account_id ?? null;
}

async function withWriter(
  runId: string,
  writer: RunLogWriter | null,
  work: (writer: RunLogWriter) => Promise<boolean>,
): Promise<boolean> {
  if (writer && !writer.isOver) return work(writer);
  const taken = await openRunLog(runId, { abandoned: true });
  if (!taken) return false;
  try {
    return await work(taken);
  } finally {
    await taken.close();
  }
}

/**
 * Ends a run's row, its conversation's turn and what it asks a person for; null where it had ended
 * before.
 * @throws MessagesWait where it is to be completed
 */
export async function moveRun(
  tx: Transaction,
  run: { id: string; accountId: string },
  outcome: Outcome,
): Promise<SettledRow | null> {
  const ended = callSql(tx, "end_run", {
    run: run.id,
    account: run.accountId,
    status: outcome.status,
    result: outcome.status === "completed" ? JSON.stringify(outcome.result) : null,
    error: outcome.status === "failed" ? JSON.stringify(outcome.error) : null,
    agent: outcome.status === "completed" ? (outcome.agentId ?? null) : null,
    message_id: newId(),
  });
  const [row] = await ended.catch((error: unknown) => {
    throw toMessagesWait(error);
  });
  return row ? (row as SettledRow) : null; // its texts and JSON are of our own writing
}

/** The terminal line, the hold's release and what follows an end. */
async function closeRun(
  tx: Transaction,
  row: SettledRow,
  writer: RunLogWriter,
  lines: readonly RunEventBody[] = [],
): Promise<void> {
  const usage = await readUsage(tx, row.id);
  await appendRunLog(tx, writer, [...lines, terminalLine(row, usage)]);
  await followUps(tx, row);
  await releaseHold(tx, row.id);
  afterCommit(tx, () => sendEndedRun(row));
}

/**
 * What an end sets going beside the run itself: a notification, a webhook, and the end of runs that
 * must not outlive it. Whoever waits for it is told by the database (`record_run_event`).
 */
export async function followUps(tx: Transaction, row: SettledRow): Promise<void> {
  if (row.should_notify) await insertNotification(tx, toNews(row));
  if (row.webhook_url) await insertDelivery(tx, row, row.webhook_url);
  if (leadsRuns(row.kind) || (await leavesChildren(tx, row)))
    await dispatch(tx, {
      id: `ended:${row.id}`,
      name: "run/ended",
      data: { run_id: row.id, kind: row.kind },
    });
}

/** Whether an agent's run ends as its children must not: they go on from one that is completed. */
async function leavesChildren(tx: Transaction, row: SettledRow): Promise<boolean> {
  if (row.status === "completed") return false;
  const { rowCount } = await tx.query(
    "SELECT 1 FROM runs WHERE parent_run_id = $1 AND account_id = $2 LIMIT 1",
    [row.id, row.account_id],
  );
  return rowCount === 1;
}

async function readUsage(tx: Transaction, runId: string): Promise<Usage> {
  const { rows } = await tx.query<{ usage: Parameters<typeof toUsage>[0] }>(
    `SELECT ${USAGE_OF_RUN} AS usage FROM runs r WHERE r.id = $1`,
    [runId],
  );
  return toUsage(rows[0]?.usage ?? null);
}

export const CANCELLED_ERROR = {
  code: "RUN_CANCELLED",
  message: "The run was cancelled.",
} as const;

export function terminalLine(row: SettledRow, usage: Usage) {
  if (row.result && row.status === "completed") {
    const artifacts = row.result.artifacts.map((artifact) => ({
      ...artifact,
      url: `artifact:${artifact.id}`,
    }));
    return {
      type: "run.completed",
      status: "completed",
      result: { ...row.result, artifacts },
      usage,
      agent_id: row.agent_id,
    } as const;
  }
  return {
    type: "run.failed",
    status: "failed",
    error: row.error ?? CANCELLED_ERROR,
    ...(usage.credits > 0 && { usage }),
  } as const;
}

async function insertDelivery(tx: Transaction, row: SettledRow, url: string): Promise<void> {
  const id = newId();
  const body = runWebhookWriter().write({
    runId: row.id,
    conversationId: row.conversation_id,
    end:
      row.status === "completed" ? { result: row.result } : { error: row.error ?? CANCELLED_ERROR },
  });
  await tx.query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload)
     VALUES ($1, $2, $3, $4, 'pending', $5)`,
    [id, row.id, row.account_id, url, body],
  );
  await dispatch(tx, deliveryEvent({ id, accountId: row.account_id, url, round: 0 }));
}

function toNews(row: SettledRow) {
  const title =
    row.status === "completed"
      ? "A run completed"
      : row.status === "cancelled"
        ? "A run was cancelled"
        : "A run failed";
  return {
    accountId: row.account_id,
    runId: row.id,
    title,
    body: row.result?.text ?? row.error?.message ?? CANCELLED_ERROR.message,
  };
}
