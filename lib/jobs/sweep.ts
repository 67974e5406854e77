import "server-only";
import { rollUpUsage } from "@/lib/domain/account/roll-up-usage";
import { resendDecisions } from "@/lib/domain/approvals/resend-decisions";
import { resendNotifications } from "@/lib/domain/notifications/resend-notifications";
import { resendPendingRuns } from "@/lib/domain/runs/resend-pending-runs";
import { cancelOrphans } from "@/lib/domain/super-agent/cancel-children";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { resendPendingDeliveries } from "@/lib/domain/webhooks/resend-pending-deliveries";
import { inngest } from "@/lib/engine/client";

/** Each minute: what a crash or a lost message left half-way is taken up, and what has served its time is removed. */
export const sweep = inngest.createFunction({ id: "sweep", retries: 0, triggers: [{ cron: "* * * * *" }] }, async ({ step }) => {
  await step.run("resend-pending-runs", () => resendPendingRuns());
  await step.run("cancel-orphans", () => cancelOrphans());
  await step.run("resend-decisions", () => resendDecisions());
  await step.run("resend-pending-deliveries", () => resendPendingDeliveries());
  await step.run("resend-notifications", () => resendNotifications());
  await step.run("roll-up-usage", () => rollUpUsage());
  await step.run("sweep-old-rows", () => sweepOldRows());
});
