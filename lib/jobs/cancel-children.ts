import "server-only";
import { cancelChildren } from "@/lib/domain/super-agent/cancel-children";
import { eventData, inngest } from "@/lib/engine/client";
/** When a super-agent's run is cancelled or fails, so are the runs that it has started. */
export const cancelChildrenOfEnded = inngest.createFunction(
  {
    id: "cancel-children",
    retries: 4,
    triggers: [{ event: "run/ended", if: 'event.data.kind == "super_agent"' }],
  },
  async ({ event, step }) => {
    const { run_id } = eventData("run/ended", event);
    await step.run("cancel", () => cancelChildren(run_id));
  },
);
