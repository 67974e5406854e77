import "server-only";
import { transaction } from "@/lib/platform/postgres";

/**
 * Ends the wait for a decision that nobody made in time. One that somebody made, to the last
 * moment, stays.
 */
export async function expireApproval(runId: string, approvalId: string): Promise<void> {
  await transaction(async (tx) => {
    // The run's row first, as a cancel and a decision lock them.
    await tx.query(
      "UPDATE runs SET requires_action = NULL WHERE id = $1 AND requires_action ->> 'approval_id' = $2",
      [runId, approvalId],
    );
    await tx.query(
      "UPDATE approvals SET status = 'expired', decided_at = least(now(), expires_at) WHERE id = $1 AND run_id = $2 AND status = 'pending' AND expires_at <= clock_timestamp()",
      [approvalId, runId],
    );
  });
}
