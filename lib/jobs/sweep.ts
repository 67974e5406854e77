import "server-only";
import { rollUpUsage } from "@/lib/domain/account/roll-up-usage";
import { reviewForgottenWaits } from "@/lib/domain/execution/permission/budget-wait";
import { sendUnfinishedAgain } from "@/lib/domain/send-unfinished-again";
import { cancelOrphans } from "@/lib/domain/super-agent/cancel-children";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { giveUpDeliveries } from "@/lib/domain/webhooks/give-up-deliveries";
import { engineMode } from "@/lib/engine/engine-state";
import type { EngineFunction } from "@/lib/engine/functions";
import { env } from "@/lib/env";
import { runsAtWorkPerAccount } from "@/lib/jobs/places";

/**
 * Each minute: what a crash left half-way is taken up, and what has served its time is removed.
 * What an Inngest server took and has lost is sent again; the embedded executor loses none.
 */
export const sweep: EngineFunction = {
  id: "sweep",
  retries: 0,
  triggers: [{ cron: "* * * * *" }],
  handler: async ({ step }) => {
    if (engineMode() === "server") {
      await step.run("send-stalled-again", () =>
        sendUnfinishedAgain("stalled", runsAtWorkPerAccount(env())),
      );
      await step.run("give-up-deliveries", () => giveUpDeliveries());
    }
    await step.run("clear", async () => {
      await cancelOrphans();
      await reviewForgottenWaits();
      await rollUpUsage();
      await sweepOldRows();
    });
  },
};
