import "server-only";
import { cancelChildren } from "@/lib/domain/super-agent/cancel-children";
import { eventData } from "@/lib/engine/client";
import type { EngineFunction } from "@/lib/engine/functions";
/** When a super-agent's run is cancelled or fails, so are the runs that it has started. */
export const cancelChildrenOfEnded: EngineFunction = {
  id: "cancel-children",
  retries: 4,
  triggers: [{ event: "run/ended", where: { field: "kind", value: "super_agent" } }],
  handler: async ({ event, step }) => {
    const { run_id } = eventData("run/ended", event);
    await step.run("cancel", () => cancelChildren(run_id));
  },
};
