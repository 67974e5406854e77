import "server-only";
import type { ApprovalRequest, AskOutcome } from "@/lib/domain/execution/permission/requests";
import { loadRun } from "@/lib/domain/execution/run/load-run";
import type { LoadedRun, RunPrograms } from "@/lib/domain/execution/run/loaded-run";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { withRunLog } from "@/lib/domain/execution/session/with-run-log";
import { runConfig } from "@/lib/domain/execution/tools/run-tools";
import { type ToolCall, toStorableJson } from "@/lib/domain/execution/tools/tool-call";
import { insertNotification } from "@/lib/domain/notifications/insert-notification";
import { appendRunLog } from "@/lib/engine/events/append-run-log";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { ApprovalQuestion, ApprovalStatus } from "@/lib/model/approval/approval";
import { RunFailure } from "@/lib/model/run/run-failure";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { transaction } from "@/lib/platform/postgres";

/**
 * Names the approval beforehand, so that the engine waits for its decision before anybody can make
 * it.
 */
export function prepareApproval(run: LoadedRun, call: ToolCall): ApprovalRequest {
  const open = run.approvals.of(call.toolCallId);
  // A decided one is not asked again: where the call asks all the same, what was decided about has
  // changed, and this is another question.
  if (open?.status === "pending")
    return { approvalId: open.id, timeoutSeconds: Math.max(1, open.secondsLeft) };
  return { approvalId: newId(), timeoutSeconds: runConfig(run).limits.approval_timeout_seconds };
}

/**
 * Asks a person about a tool call: stores the approval, says on the run that it waits, and shows
 * the event, in this order, so that whoever sees the event can decide. Repeated after a crash it
 * does what is left of this.
 */
export async function requestApproval(
  programs: RunPrograms,
  runId: string,
  turn: number,
  toolCallId: string,
  request: ApprovalRequest,
): Promise<AskOutcome> {
  return withRunLog<AskOutcome>(runId, { outcome: "ended" }, async (step, session) => {
    failpoint("approval.waiting");
    const run = await loadRun(programs, runId, session.known);
    const call = findCall(run, turn, toolCallId);
    const decision = await run.program.judge(run, call, step.signal);
    // Its owner has changed the agent just now: the call that follows is judged anew.
    if (decision.action !== "ask") return { outcome: "settled" };
    const { question } = decision;
    const replaced = run.approvals.of(call.toolCallId);
    const replaces =
      replaced?.status === "approved" && replaced.id !== request.approvalId ? replaced.id : null;
    const status = await storeApproval(run, call, request, question, replaces, step.log);
    if (status === null) return { outcome: "ended" };
    failpoint("approval.asked");
    return { outcome: status === "pending" ? "asked" : "settled" };
  });
}

/**
 * The approval's state; null when the run has ended. The run's row is locked before the approval's,
 * as a cancel and a decision do.
 */
async function storeApproval(
  run: LoadedRun,
  call: ToolCall,
  { approvalId, timeoutSeconds }: ApprovalRequest,
  question: ApprovalQuestion,
  replaces: string | null,
  writer: RunLogWriter,
): Promise<ApprovalStatus | null> {
  return transaction(async (tx) => {
    const { rowCount } = await tx.query(
      "UPDATE runs SET requires_action = $2 WHERE id = $1 AND status = 'running'",
      [run.id, JSON.stringify({ type: "approval", approval_id: approvalId })],
    );
    if (rowCount === 0) return null;
    // The one that it replaces stays as the record of what was decided about what, and decides
    // nothing any more.
    await tx.query(
      `UPDATE approvals SET tool_call_id = NULL WHERE id = $1 AND run_id = $2
         AND status = 'approved'`,
      [replaces, run.id],
    );
    const { rows } = await tx.query<{ status: ApprovalStatus; is_new: boolean }>(
      `INSERT INTO approvals AS p (id, run_id, account_id, agent_id, tool_call_id, tool_name,
         arguments, summary, status, expires_at,
         kind, shown, digest, reason, replaces, definition_digest)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', now() + make_interval(secs => $9), $10,
         $11, $12, $13, $14, $15)
       ON CONFLICT (run_id, tool_call_id) DO UPDATE SET summary = p.summary
       RETURNING status, xmax = 0 AS is_new`,
      [
        approvalId,
        run.id,
        run.accountId,
        run.agent?.id ?? null,
        call.toolCallId,
        call.name,
        toStorableJson(call.input ?? {}),
        question.summary,
        timeoutSeconds,
        question.kind,
        toStorableJson({ ...question.shown, tool_call_id: call.toolCallId }),
        question.digest,
        question.reason,
        replaces,
        question.definitionDigest,
      ],
    );
    // Shown with it: whoever sees the event can decide.
    if (rows[0]?.is_new)
      await appendRunLog(tx, writer, [
        {
          type: "approval.requested",
          approval_id: approvalId,
          tool_name: call.name,
          summary: question.summary,
          ...(question.reason !== null && { reason: question.reason }),
          ...(replaces !== null && { replaces }),
        },
      ]);
    if (rows[0]?.is_new)
      await insertNotification(tx, {
        accountId: run.accountId,
        key: `approval:${approvalId}`,
        path: `/approvals/${approvalId}`,
        title: `${run.agent?.name ?? "A run"} asks for approval`,
        body: question.summary,
      });
    // Asked before a crash, and decided already: nothing is waited for.
    const status = rows[0]?.status ?? null;
    if (status !== "pending")
      await tx.query("UPDATE runs SET requires_action = NULL WHERE id = $1", [run.id]);
    return status;
  });
}

/**
 * A tool call as the model asked for it in one of the run's turns. @throws RunFailure when it is
 * not there
 */
export function findCall(run: LoadedRun, turn: number, toolCallId: string): ToolCall {
  const content = run.transcript.turns.find((candidate) => candidate.turn === turn)?.content ?? [];
  const part = content.find(
    (candidate) => candidate.type === "tool-call" && candidate.toolCallId === toolCallId,
  );
  if (part?.type !== "tool-call")
    throw new RunFailure("EXECUTION_FAILED", "A tool call of the run is lost.");
  return { toolCallId, name: part.toolName, input: part.input };
}

const DECISION = { approved: "approve", rejected: "reject", expired: "expired" } as const;

/** Shows in the run's log, once, what was decided about a call. */
export async function logDecision(run: LoadedRun, call: ToolCall, step: RunStep): Promise<void> {
  const approval = run.approvals.of(call.toolCallId);
  if (!approval || approval.status === "pending" || approval.decisionShown) return;
  const { id, summary, status } = approval;
  await transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE approvals SET decision_shown = true WHERE id = $1 AND run_id = $2
         AND NOT decision_shown`,
      [id, run.id],
    );
    if (rowCount === 0) return;
    const decision = DECISION[status];
    await appendRunLog(tx, step.log, [
      { type: "approval.resolved", approval_id: id, tool_name: call.name, summary, decision },
    ]);
  });
}
