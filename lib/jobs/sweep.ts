import "server-only";
import { rollUpUsage } from "@/lib/domain/account/roll-up-usage";
import { resendDecisions } from "@/lib/domain/approvals/resend-decisions";
import { resendNotifications } from "@/lib/domain/notifications/mail-notification";
import { resendPendingRuns, resendStrandedRuns } from "@/lib/domain/runs/resend-pending-runs";
import { resendToolResults } from "@/lib/domain/runs/submit-tool-results";
import { cancelOrphans } from "@/lib/domain/super-agent/cancel-children";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { resendPendingDeliveries } from "@/lib/domain/webhooks/resend-deliveries";
import { engineMode } from "@/lib/engine/engine-state";
import type { EngineFunction } from "@/lib/engine/functions";

/**
 * Each minute: what a crash or a lost message left half-way is taken up, and what has served its
 * time is removed. What an Inngest server may not have heard of is sent again; the embedded
 * executor stores its events with what they tell of.
 */
export const sweep: EngineFunction = {
  id: "sweep",
  retries: 0,
  triggers: [{ cron: "* * * * *" }],
  handler: async ({ step }) => {
    if (engineMode() === "server") {
      await step.run("resend-pending-runs", () => resendPendingRuns());
      await step.run("resend-stranded-runs", () => resendStrandedRuns());
      await step.run("resend-decisions", () => resendDecisions());
      await step.run("resend-tool-results", () => resendToolResults());
      await step.run("resend-pending-deliveries", () => resendPendingDeliveries());
      await step.run("resend-notifications", () => resendNotifications());
    }
    await step.run("clear", async () => {
      await cancelOrphans();
      await rollUpUsage();
      await sweepOldRows();
    });
  },
};
