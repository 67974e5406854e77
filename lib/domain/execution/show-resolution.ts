import "server-only";
import { isLogged } from "@/lib/domain/execution/is-logged";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { ToolCall } from "@/lib/domain/execution/tool-call";
import type { RunStep } from "@/lib/domain/execution/with-run-log";
import { postgres } from "@/lib/platform/postgres";

const DECISION = { approved: "approve", rejected: "reject", expired: "expired" } as const;

/** Shows in the run's log, once, what was decided about a call. */
export async function showResolution(run: LoadedRun, call: ToolCall, step: RunStep): Promise<void> {
  const approval = run.approvals.get(call.toolCallId);
  if (!approval || approval.status === "pending" || (await isLogged(run.id, "approval.resolved", approval.id))) return;
  const { rows } = await postgres().query<{ summary: string }>("SELECT summary FROM approvals WHERE id = $1", [approval.id]);
  step.log.append({
    type: "approval.resolved",
    approval_id: approval.id,
    tool_name: call.name,
    summary: rows[0]?.summary ?? call.name,
    decision: DECISION[approval.status],
  });
  await step.log.flush();
}
