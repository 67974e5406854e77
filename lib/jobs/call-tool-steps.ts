import "server-only";
import type { GetStepTools } from "inngest";
import { expireApproval } from "@/lib/domain/approvals/expire-approval";
import { askApproval } from "@/lib/domain/execution/approval";
import { callTool } from "@/lib/domain/execution/call-tool";
import { hasEnded } from "@/lib/domain/runs/run-view";
import type { inngest } from "@/lib/engine/client";

type Steps = GetStepTools<typeof inngest>;

/**
 * One tool call as steps: it is made; or a person is asked, or another run waited for, and the call made anew by what became of that. While a run
 * waits it holds nothing but its rows. The engine waits before anybody is asked or looked at, so nothing can come too early to be heard.
 * @returns whether the run has ended with it
 */
export async function callToolSteps(step: Steps, runId: string, turn: number, toolCallId: string): Promise<boolean> {
  let isResumed = false;
  for (let round = 0; ; round++) {
    const place = `${turn}${round === 0 ? "" : `.${round}`}-${toolCallId}`;
    const { done, ask, pending } = await step.run(`tool-${place}`, () => callTool(runId, turn, toolCallId, isResumed));
    if (pending) {
      const end = step.waitForEvent(inRace(`end-${place}`), {
        event: "run/ended",
        timeout: `${pending.timeoutSeconds}s`,
        if: `async.data.run_id == "${pending.runId}"`,
      });
      if (!(await step.run(inRace(`look-${place}`), () => hasEnded(pending.runId)))) await end;
      isResumed = true;
    } else if (ask) {
      const decision = step.waitForEvent(inRace(`decision-${place}`), {
        event: "approval/resolved",
        timeout: `${ask.timeoutSeconds}s`,
        if: `async.data.approval_id == "${ask.approvalId}"`,
      });
      const { outcome } = await step.run(inRace(`ask-${place}`), () => askApproval(runId, turn, toolCallId, ask));
      if (outcome === "ended") return true;
      if (outcome === "asked" && (await decision) === null) await step.run(`expire-${place}`, () => expireApproval(runId, ask.approvalId));
    } else return done;
  }
}

/** An Inngest server goes on with a run when all steps that began together have ended, but for those that are marked so: then when one has. */
function inRace(id: string): { id: string; parallelMode: "race" } {
  return { id, parallelMode: "race" };
}
