import "server-only";
import { type ApprovalView, getApproval } from "@/lib/domain/approvals/approval-view";
import { rememberDefinition } from "@/lib/domain/approvals/remembered-approvals";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import type { Principal } from "@/lib/domain/principal";
import { dispatch } from "@/lib/engine/client";
import { type ApprovalDecision, toApprovalStatus } from "@/lib/model/approval/approval";
import { ServiceError } from "@/lib/model/errors";
import { failpoint } from "@/lib/platform/failpoint";
import { transaction } from "@/lib/platform/postgres";

/**
 * Decides an approval and lets its run go on. Of two that decide at once, or a decision against the
 * end of its time or a cancel, one wins.
 * The same decision again changes nothing.
 * @param digest of what the person was shown; null: they do not say
 * @param remember whether the agent asks no more for the tool as it is defined; it may follow an
 * approval that was granted without it
 * @throws ServiceError APPROVAL_NOT_FOUND; CONFLICT when something else was shown, it was decided
 * otherwise, has expired, its run has ended, or there is nothing to remember
 */
export async function resolveApproval(
  principal: Principal,
  approvalId: string,
  decision: ApprovalDecision,
  message: string | null,
  digest: string | null = null,
  remember = false,
): Promise<ApprovalView> {
  // What an approval asks about never changes: another call is another approval.
  const { runId, digest: asked } = await getApproval(principal, approvalId);
  if (digest !== null && digest !== asked)
    throw new ServiceError(
      "CONFLICT",
      "This approval asks about something else than the digest says. Fetch it anew, and look " +
        "at what it shows.",
    );
  const status = toApprovalStatus(decision);
  const isRemembered = remember && status === "approved";
  if (await decide(principal, runId, approvalId, status, message, isRemembered))
    failpoint("approval.decided");
  const approval = await getApproval(principal, approvalId);
  if (approval.status === status) {
    if (isRemembered) await transaction((tx) => rememberDefinition(tx, principal, approvalId));
    return approval;
  }
  const why =
    approval.status === "expired"
      ? "has expired, or its run was ended"
      : `is ${approval.status} already`;
  throw new ServiceError("CONFLICT", `This approval ${why}: it cannot be decided any more.`);
}

async function decide(
  principal: Principal,
  runId: string,
  approvalId: string,
  status: "approved" | "rejected",
  message: string | null,
  remember: boolean,
): Promise<boolean> {
  const { accountId } = principal;
  return transaction(async (tx) => {
    // The run's row first, as a cancel locks them; and a run that has ended takes no decision.
    const run = await tx.query(
      "SELECT 1 FROM runs WHERE id = $1 AND account_id = $2 AND status = 'running' FOR UPDATE",
      [runId, accountId],
    );
    if (run.rowCount === 0) return false;
    const { rows } = await tx.query<{ tool_name: string }>(
      `UPDATE approvals SET status = $3, message = $4, decided_at = now()
       WHERE id = $1 AND account_id = $2 AND status = 'pending' AND expires_at > clock_timestamp()
       RETURNING tool_name`,
      [approvalId, accountId, status, message],
    );
    const [decided] = rows;
    if (!decided) return false;
    await recordAudit(tx, principal, {
      action: `approval.${status}`,
      object: { kind: "approval", id: approvalId, label: decided.tool_name },
      changes: { run_id: runId, ...(remember && { remembered: true }) },
    });
    // What cannot be remembered leaves the call undecided.
    if (remember) await rememberDefinition(tx, principal, approvalId);
    await tx.query(
      `UPDATE runs SET requires_action = NULL
       WHERE id = $1 AND requires_action ->> 'approval_id' = $2`,
      [runId, approvalId],
    );
    await dispatch(tx, {
      id: approvalId,
      name: "approval/resolved",
      data: { run_id: runId, approval_id: approvalId },
    });
    return true;
  });
}
