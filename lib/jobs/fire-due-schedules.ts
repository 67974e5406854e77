import "server-only";
import { fireSchedules } from "@/lib/domain/schedules/fire-schedules";
import { inngest } from "@/lib/engine/client";

/**
 * Each minute: starts the runs whose schedules have come due. A minute that is missed is made up
 * for by the next one.
 */
export const fireDueSchedules = inngest.createFunction(
  { id: "fire-schedules", retries: 0, triggers: [{ cron: "* * * * *" }] },
  async ({ step }) => {
    await step.run("fire", () => fireSchedules());
  },
);
