import "server-only";
import type { SettledDecision } from "@/lib/domain/execution/permission/decision";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import { runConfig } from "@/lib/domain/execution/tools/run-tools";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
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
  decision: SettledDecision,
  { status }: ToolResult,
): Promise<ActionFacts | null> {
  const tool = decision.action === "own" ? undefined : decision.tool;
  if (!tool && status === "refused" && run.approvals.of(call.toolCallId) !== undefined) return null;
  const config = decision.action === "own" ? null : runConfig(run);
  const { kind, target } = tool ? describeCall(tool, call) : describeUnkept(call, config);
  const { results } = await secretRedactor(run.accountId, run.surroundings.secrets);
  const redacted = await inSlices(results.redactInSteps(target));
  return { kind, target: shownTarget(redacted), ...(status && { status }) };
}
