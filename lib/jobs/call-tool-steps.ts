import "server-only";
import type { GetStepTools } from "inngest";
import { expireApproval } from "@/lib/domain/approvals/expire-approval";
import { askApproval } from "@/lib/domain/execution/ask-approval";
import { callTool } from "@/lib/domain/execution/call-tool";
import type { inngest } from "@/lib/engine/client";

type Steps = GetStepTools<typeof inngest>;

/**
 * One tool call as steps: it is made, or a person is asked, waited for, and the call judged anew by what they said. While a run waits it
 * holds nothing but its rows.
 * @returns whether the run has ended with it
 */
export async function callToolSteps(step: Steps, runId: string, turn: number, toolCallId: string): Promise<boolean> {
  for (let round = 0; ; round++) {
    const place = `${turn}${round === 0 ? "" : `.${round}`}-${toolCallId}`;
    const { done, ask } = await step.run(`tool-${place}`, () => callTool(runId, turn, toolCallId));
    if (!ask) return done;
    // The engine waits before anybody is asked, so no decision can come too early to be heard.
    const decision = step.waitForEvent(`decision-${place}`, {
      event: "approval/resolved",
      timeout: `${ask.timeoutSeconds}s`,
      if: `async.data.approval_id == "${ask.approvalId}"`,
    });
    const { outcome } = await step.run(`ask-${place}`, () => askApproval(runId, turn, toolCallId, ask));
    if (outcome === "ended") return true;
    if (outcome === "asked" && (await decision) === null) await step.run(`expire-${place}`, () => expireApproval(runId, ask.approvalId));
  }
}
