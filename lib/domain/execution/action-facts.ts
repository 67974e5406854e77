import "server-only";
import type { ToolCallDecision } from "@/lib/domain/execution/authorize-call";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { runConfig } from "@/lib/domain/execution/run-tools";
import { secretRedactor } from "@/lib/domain/execution/secret-redactor";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import {
  describeCall,
  describeUnkept,
  shownTarget,
} from "@/lib/domain/runs/receipts/describe-call";
import type { ActionFacts } from "@/lib/model/run/run-action";
import { inSlices } from "@/lib/platform/in-slices";

/**
 * What is kept of a call with its result, for the run's receipts: by the tool as it was called, and
 * with no secret of the account in it. Null where an approval tells all of it.
 */
export async function actionFacts(
  run: LoadedRun,
  call: ToolCall,
  decision: Exclude<ToolCallDecision, { action: "ask" }>,
  { status }: ToolResult,
): Promise<ActionFacts | null> {
  const tool = decision.action === "build" ? undefined : decision.tool;
  if (!tool && status === "refused" && run.approvals.has(call.toolCallId)) return null;
  const config = decision.action === "build" ? null : runConfig(run);
  const { kind, target } = tool ? describeCall(tool, call) : describeUnkept(call, config);
  const { results } = await secretRedactor(run.accountId, run.secrets);
  const redacted = await inSlices(results.redactInSteps(target));
  return { kind, target: shownTarget(redacted), ...(status && { status }) };
}
