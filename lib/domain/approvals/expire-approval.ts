import "server-only";
import { transaction } from "@/lib/platform/postgres";

/**
 * Ends the wait for a decision that nobody made in time. One that somebody made, to the last
 * moment, stays, and so does one that somebody may still make: it was asked for later than the wait
 * for it began.
 * @returns the seconds that are left for it; 0: nothing is waited for any more
 */
export async function expireApproval(runId: string, approvalId: string): Promise<number> {
  return transaction(async (tx) => {
    // The run's row first, as a cancel and a decision lock them.
    await tx.query("SELECT 1 FROM runs WHERE id = $1 FOR UPDATE", [runId]);
    await tx.query(
      `UPDATE approvals SET status = 'expired', decided_at = least(now(), expires_at)
       WHERE id = $1 AND run_id = $2 AND status = 'pending' AND expires_at <= clock_timestamp()`,
      [approvalId, runId],
    );
    const { rows } = await tx.query<{ left: number }>(
      `SELECT ceil(extract(epoch FROM expires_at - clock_timestamp()))::int AS left FROM approvals
       WHERE id = $1 AND run_id = $2 AND status = 'pending'`,
      [approvalId, runId],
    );
    const [pending] = rows;
    if (pending) return Math.max(1, pending.left);
    await tx.query(
      `UPDATE runs SET requires_action = NULL
       WHERE id = $1 AND requires_action ->> 'approval_id' = $2`,
      [runId, approvalId],
    );
    return 0;
  });
}
