import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { ToolCall } from "@/lib/domain/execution/tool-call";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { appendRunLog } from "@/lib/engine/events/append-run-log";
import { transaction } from "@/lib/storage/transaction";

const DECISION = { approved: "approve", rejected: "reject", expired: "expired" } as const;

/** Shows in the run's log, once, what was decided about a call. */
export async function showResolution(run: LoadedRun, call: ToolCall, step: RunStep): Promise<void> {
  const approval = run.approvals.get(call.toolCallId);
  if (!approval || approval.status === "pending" || approval.decisionShown) return;
  const { id, summary, status } = approval;
  await transaction(async (tx) => {
    const { rowCount } = await tx.query("UPDATE approvals SET decision_shown = true WHERE id = $1 AND run_id = $2 AND NOT decision_shown", [
      id,
      run.id,
    ]);
    if (rowCount === 0) return;
    const decision = DECISION[status];
    await appendRunLog(tx, step.log, [{ type: "approval.resolved", approval_id: id, tool_name: call.name, summary, decision }]);
  });
}
