import "server-only";
import { fireSchedules } from "@/lib/domain/schedules/fire-schedules";
import type { EngineFunction } from "@/lib/engine/functions";

/**
 * Each minute: starts the runs whose schedules have come due. A minute that is missed is made up
 * for by the next one.
 */
export const fireDueSchedules: EngineFunction = {
  id: "fire-schedules",
  retries: 0,
  triggers: [{ cron: "* * * * *" }],
  handler: async ({ step }) => {
    await step.run("fire", () => fireSchedules());
  },
};
